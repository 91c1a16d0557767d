// Builds ../assets/editor.js from src/. Usage: npm ci && npm run build, or node build.mjs FOLDER for another place.
// The first line of the bundle carries a hash of all that it was built from, so that a test without node can compare.
import {createHash} from "node:crypto"
import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from "node:fs"
import {dirname, join} from "node:path"
import {fileURLToPath} from "node:url"
import {build} from "esbuild"

const here = dirname(fileURLToPath(import.meta.url))
const target = process.argv[2] ?? join(here, "..", "assets")

function sourceHash() {
  const names = ["build.mjs", "package-lock.json", "package.json", ...readdirSync(join(here, "src")).sort().map(name => `src/${name}`)]
  const hash = createHash("sha256")
  for (const name of names) hash.update(`${name}\0`).update(readFileSync(join(here, name))).update("\0")
  return hash.digest("hex")
}

function licences(inputs) {
  const found = inputs.map(path => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1])
  const packages = [...new Set(found.filter(Boolean))].sort()
  return packages.map(name => {
    const folder = join(here, "node_modules", name)
    const {version} = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
    const file = ["LICENSE", "LICENSE.md", "LICENSE.txt"].map(one => join(folder, one)).find(existsSync)
    if (!file) throw new Error(`${name} ${version} has no licence file; a bundled package must have one`)
    return `${name} ${version}\n\n${readFileSync(file, "utf8").trim()}\n`
  }).join("\n----\n\n")
}

process.chdir(here)
const result = await build({
  entryPoints: ["src/index.js"], bundle: true, minify: true, format: "esm", target: "es2022", charset: "utf8",
  legalComments: "none", metafile: true, write: false,
  banner: {js: `/* Built from lessons/pages/editor; sources sha256:${sourceHash()}; licences in editor.licences.txt */`},
})
mkdirSync(target, {recursive: true})
writeFileSync(join(target, "editor.js"), result.outputFiles[0].contents)
writeFileSync(join(target, "editor.licences.txt"), licences(Object.keys(result.metafile.inputs)))
