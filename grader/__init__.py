"""The judge: reads submissions, runs them isolated, decides, reports and remembers.

    catalogue       the exercises, from their two halves
    judge           one answer to one report; with finding, session, proxy, checking, known_mistakes, verdicts
    flags           odd things noticed about an answer, in sentences for the instructor
    submitting      one learner's files; batch: a folder or zip of them; release: what a kept result depends on
    replaying       one check of a graded answer again; turns: whose work runs, and when alone
    notebooks       the student notebooks
    cli             `python -m grader`
    language        language files; wording: the judge's own texts; plain: text from outside, made harmless
    sandbox/        isolation
    reading/        what people hand in
    rosters/        import files for Canvas and Moodle
    reports/        gradebook, Gradescope results, feedback pages
    store/          attempts, drafts and progress
    console/        what the commands print
    instructor/     the instructor's page
"""
