// Pages that follow a run.
