"""The lab without its page: the queue, the process that computes, what fits into memory, chart and table."""
