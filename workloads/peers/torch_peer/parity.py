"""How far numbers of two implementations are apart, and how far they may be."""

# In single precision both take the same sums in another order. In bf16 each rounds to 8 bits of
# precision (2^-9 = 0.002 a rounding), in its own places: PyTorch rounds the products' results before
# it adds the bias, the rotation and the norm's gain, the native program once behind them; PyTorch's
# optimizer rounds each of its passes into bf16, the native one rounds once. "moved" is looser than
# the gradients: AdamW's first steps go by a gradient's sign, and the smallest have either.
TOLERANCES = {
    "fp32": {"losses": 1e-4, "layers": 1e-4, "logits": 1e-4, "gradients": 1e-4, "moved": 1e-2},
    "bf16": {"losses": 1e-2, "layers": 5e-2, "logits": 5e-2, "gradients": 1e-1, "moved": 5e-1},
}


# Of inference: logits as above. A token is held by how far the random number that it was drawn with is
# from its share of the probability (sampling.py): over 150,000 tokens that are nearly as likely, as random
# weights make them, a share is 1e-5 wide, and sums of single precision alone bring the next token.
# int8 is rounded by PyTorch in whole rows, and its inputs as well; by perf-workloads in groups of 32.
INFERENCE_TOLERANCES = {
    "fp32": {"prompt": 0.0, "logits": 1e-4, "tokens": 1e-4},
    "bf16": {"prompt": 0.0, "logits": 5e-2, "tokens": 5e-2},
    "int8": {"prompt": 0.0, "logits": 2e-1, "tokens": 2e-1},
}


def largest_error(values, expected):
    """The largest difference against the largest value expected."""
    worst = (values - expected).abs().max().item()
    return 0.0 if worst == 0 else worst / expected.abs().max().item()


def relative_error(values, expected):
    """The length of the difference against that of what is expected."""
    apart = (values.double() - expected.double()).norm().item()
    return 0.0 if apart == 0 else apart / expected.double().norm().item()


def moved_error(values, expected, start, roundings, epsilon):
    """The difference of what was trained, against how far it was trained. A value can be wrong by
    half an epsilon in each of the roundings that it went through: so much does not count."""
    apart = (values - expected).abs() - roundings * epsilon / 2 * expected.abs()
    apart = apart.clamp(min=0).double().norm().item()
    return 0.0 if apart == 0 else apart / (expected - start).double().norm().item()
