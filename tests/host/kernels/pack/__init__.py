"""Host modules that make and launch kernels in every way there is."""
