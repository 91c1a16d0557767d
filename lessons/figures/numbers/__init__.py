"""Numbers that break: what finite arithmetic makes of the rule, foretold and computed."""
