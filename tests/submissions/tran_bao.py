def rejection_rule(target_probs, draft_probs, draft_token):
	qx = draft_probs[draft_token]
        return min(1.0, target_probs[draft_token] / qx), target_probs
