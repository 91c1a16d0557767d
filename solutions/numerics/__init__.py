"""What finite arithmetic makes of the rule: small experiments, each with a number foretold and the number computed.

Nothing in the rule is random here but the rows, which a seed makes. NumPy only; bfloat16 is rounded by its bits.
"""
