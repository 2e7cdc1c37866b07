"""The few questions that stop the work: unsaved changes, a failure, what the program is."""
