import math


def expected_tokens(alpha: float, K: float) -> float:
    """The mean number of tokens that one verification round emits.

    alpha: the probability, from 0 to 1, that a draft token is accepted
    once all before it were; the same at every place, independently.
    K: the number of draft tokens, an integer >= 0, or math.inf.
    Returns a number from 1 to K + 1; its relative error is below 1e-14
    for K up to 10**6, also where alpha is very close to 1.
    Raises ValueError where an argument is out of its range.
    Source: Leviathan et al., arXiv 2211.17192, equation (1).
    """
    check_ranges(alpha=alpha, K=K)
    if alpha == 1.0:
        all_accepted = K + 1.0
        return all_accepted
    if K == math.inf:
        without_end = 1.0 / (1.0 - alpha)
        return without_end
    mean = -math.expm1((K + 1) * math.log(alpha)) / (1.0 - alpha) if alpha > 0.0 else 1.0
    return mean


def speedup(alpha: float, K: float, c: float) -> float:
    """How many times as many tokens come out in the same time as without drafting.

    alpha, K: as in expected_tokens; K = math.inf stands for the limit.
    c: what drafting one token costs, in passes of the target; >= 0.
    Assumes that one pass of the target over the K + 1 rows of a round
    costs as much as a pass over one, and that nothing else takes time.
    Raises ValueError where an argument is out of its range.
    Source: Leviathan et al., arXiv 2211.17192, theorem 3.8.
    """
    check_ranges(alpha=alpha, K=K, c=c)
    if K == math.inf and c > 0.0:  # drafting that never ends
        return 1.0 / c if alpha == 1.0 else 0.0
    if K == math.inf:
        return expected_tokens(alpha, K)
    faster = expected_tokens(alpha, K) / (c * K + 1.0)
    return faster


def best_draft_length(alpha: float, c: float) -> float:
    """The number of draft tokens with the largest speedup; of equals the smallest.

    Returns an integer, 0 where drafting doesn't pay, or math.inf where
    there is no best number, because each draft token more is faster.
    Ends quickly whatever the arguments, also where the best number has
    many digits.
    Raises ValueError where an argument is out of its range.
    """
    check_ranges(alpha=alpha, c=c)
    no_best = alpha > c and (c == 0.0 or alpha == 1.0)
    if no_best:
        return math.inf
    if alpha <= c:  # the first draft token doesn't pay, so none does
        return 0
    few, many = 0, 2**63  # the best number is between them: alpha ** many is 0.0 for every alpha below 1
    while few < many:
        middle = (few + many) // 2
        if alpha ** (middle + 1) > c * speedup(alpha, middle, c):  # one more than middle is faster
            few = middle + 1
        else:  # and then none beyond it is faster either
            many = middle
    return few


def break_even(K: float, c: float) -> float | None:
    """The smallest alpha at which K draft tokens are no slower than none.

    The error is below 1e-12. Returns 0.0 where nothing is drafted or
    drafting costs nothing, and None where K draft tokens are slower even
    if all of them are accepted.
    Raises ValueError where an argument is out of its range.
    """
    check_ranges(K=K, c=c)
    if K == 0 or c == 0.0:
        return 0.0
    never = c > 1.0
    if never:
        return None
    low, high = 0.0, 1.0  # slower at low, no slower at high
    for _ in range(60):
        middle = (low + high) / 2.0
        too_low = speedup(middle, K, c) < 1.0
        if too_low:
            low = middle
        else:
            high = middle
    return high


def check_ranges(alpha: float = 0.0, K: float = 0, c: float = 0.0) -> None:
    if not 0.0 <= alpha <= 1.0:
        raise ValueError(f"alpha is {alpha}; an acceptance rate must be a number from 0 to 1")
    if not K >= 0 or (K != math.inf and K != int(K)):
        raise ValueError(f"K is {K}; the number of draft tokens must be an integer >= 0 or math.inf")
    if not 0.0 <= c < math.inf:
        raise ValueError(f"c is {c}; the cost of a draft token must be a finite number >= 0")
