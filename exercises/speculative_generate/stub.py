import numpy as np


class Model:
    """A language model of the smallest kind: the last token alone decides.

    table: (V, V) probabilities; row t is the law of the token that follows
    token t. passes counts how often the model was run.
    Raises ValueError where a row is not a probability distribution.
    """

    def __init__(self, table: list[list[float]]) -> None:
        self.table, self.passes = np.array(table, dtype=np.float64), 0
        shape = self.table.shape
        if len(shape) != 2 or shape[0] != shape[1]:
            raise ValueError(f"the table has shape {shape}; it must be (V, V)")
        rule = "probabilities must not be negative, and sum to 1 (within 1e-6)"
        for token, row in enumerate(self.table):
            if not (row >= 0.0).all() or not abs(row.sum() - 1.0) <= 1e-6:
                raise ValueError(f"row {token} is {row}, sum {row.sum()}; {rule}")

    def laws(self, tokens: list[int]) -> np.ndarray:
        """One pass over n >= 1 tokens, however many.

        Returns (n, V) probabilities: row i is the law of the token after
        tokens[i].
        """
        self.passes += 1
        return self.table[tokens]


def pick(law: np.ndarray, uniform: float) -> int:
    """Inverse CDF: the first token whose cumulative sum is greater.

    law: (V,) probabilities, not all of them 0. uniform: in [0, 1). A token
    without mass is never drawn.
    """
    place = np.searchsorted(np.cumsum(law), uniform, side="right")
    return int(min(place, np.flatnonzero(law)[-1]))


def speculative_generate(
    target: list[list[float]],
    draft: list[list[float]],
    prompt: list[int],
    draft_length: int,
    max_tokens: int,
    eos: int | None,
    uniforms: list[float],
) -> tuple[list[int], int]:
    """Generate text whose law is the target's own: draft, verify, commit.

    target, draft: (V, V) tables, one for each Model. prompt: the tokens so
    far, at least one. draft_length: how many tokens a round drafts at most.
    max_tokens: how many tokens are generated at most. eos: the token that
    ends a text, or None. uniforms: numbers in [0, 1), as many as are needed;
    a round with K drafts takes 2 K + 1 of them, in this order: one for each
    draft token, one coin for each draft token, one for the last token.
    Returns (tokens, passes): the generated tokens, without the prompt, and
    how often the target model was run.
    """
    ______
