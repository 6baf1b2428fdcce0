import cuda.tile as ct


def run_on(kernel, stream, args):
    assert isinstance(kernel, ct.kernel)
    ct.launch(stream, (1,), kernel, args)
