"""The operations of ML Programs in numpy, by the names and parameters of coremltools' MIL documentation.

Every function takes the operation's parameters by name; floats arrive in float32. Used by coreml_program.py.
"""
import numpy as np
from scipy.special import erf

CASTS = {"fp16": np.float32, "fp32": np.float32, "bool": np.bool_, "int8": np.int8, "uint8": np.uint8,
         "int16": np.int16, "uint16": np.uint16, "int32": np.int32}


def ints(values) -> tuple[int, ...]:
    """Axes, shapes and the like as numpy wants them."""
    return tuple(int(value) for value in np.atleast_1d(values))


def linear(x, weight, bias=None):
    """x times the transposed weight, plus the bias."""
    product = np.matmul(x, weight.T)
    return product if bias is None else product + bias


def matmul(x, y, transpose_x=False, transpose_y=False):
    """Batched product."""
    return np.matmul(x.swapaxes(-1, -2) if transpose_x else x, y.swapaxes(-1, -2) if transpose_y else y)


def softmax(x, axis=-1):
    """Along one axis."""
    powers = np.exp(x - x.max(axis=int(axis), keepdims=True))
    return powers / powers.sum(axis=int(axis), keepdims=True)


def attention(query, key, value, attn_mask=None):
    """softmax(query key^T / sqrt(width) + mask) value; a bool mask keeps where it is true."""
    scores = np.matmul(query, key.swapaxes(-1, -2)) / np.float32(np.sqrt(query.shape[-1]))
    if attn_mask is not None and attn_mask.dtype == np.bool_:
        scores = np.where(attn_mask, scores, np.float32(-np.inf))
    elif attn_mask is not None:
        scores = scores + attn_mask
    return np.matmul(softmax(scores), value)


def layer_norm(x, axes=None, gamma=None, beta=None, epsilon=1e-5):
    """Mean zero and variance one over the axes, then gamma and beta, which have the shape of the axes."""
    axes = tuple(range(x.ndim)) if axes is None else tuple(axis % x.ndim for axis in ints(axes))
    shape = [size if axis in axes else 1 for axis, size in enumerate(x.shape)]
    centred = x - x.mean(axis=axes, keepdims=True)
    variance = np.square(centred).mean(axis=axes, keepdims=True)
    result = centred / np.sqrt(variance + np.float32(epsilon))
    result = result if gamma is None else result * gamma.reshape(shape)
    return result if beta is None else result + beta.reshape(shape)


def gelu(x, mode="EXACT"):
    """One of three forms."""
    if mode == "EXACT":
        return 0.5 * x * (1 + erf(x * np.float32(np.sqrt(0.5))))
    if mode == "TANH_APPROXIMATION":
        return 0.5 * x * (1 + np.tanh(np.float32(np.sqrt(2 / np.pi)) * (x + 0.044715 * x * x * x)))
    if mode == "SIGMOID_APPROXIMATION":
        return x / (1 + np.exp(-1.702 * x))
    raise ValueError(f"gelu: unknown mode \"{mode}\"")


def only_zero(name: str, value) -> None:
    """Refuses a parameter we do not implement beyond its default."""
    if int(value) != 0:
        raise NotImplementedError(f"{name} {value}")


def gather(x, indices, axis=0, batch_dims=0, validate_indices=False):
    """Slices of x along an axis; an index outside is an error."""
    only_zero("batch_dims", batch_dims)
    return np.take(x, indices, axis=int(axis))


def gather_nd(x, indices, batch_dims=0, validate_indices=False):
    """Slices of x by index vectors in the last dimension."""
    only_zero("batch_dims", batch_dims)
    return x[tuple(np.moveaxis(np.asarray(indices), -1, 0))]


def gather_along_axis(x, indices, axis=0, validate_indices=False):
    """Elements of x, one for every index."""
    return np.take_along_axis(x, np.asarray(indices).astype(np.int64), axis=int(axis))


def slice_by_index(x, begin, end, stride=None, begin_mask=None, end_mask=None, squeeze_mask=None):
    """x[begin:end:stride] in every dimension; a mask frees the bound, or takes the one element and drops the axis."""
    def flag(mask, axis: int) -> bool:
        return mask is not None and bool(mask[axis])

    places = []
    for axis in range(x.ndim):
        if flag(squeeze_mask, axis):
            places.append(int(begin[axis]))
            continue
        first = None if flag(begin_mask, axis) else int(begin[axis])
        last = None if flag(end_mask, axis) else int(end[axis])
        places.append(slice(first, last, None if stride is None else int(stride[axis])))
    return x[tuple(places)]


def slice_by_size(x, begin, size):
    """`size` elements from `begin`; -1 is to the end."""
    bounds = zip(ints(begin), ints(size), x.shape, strict=True)
    return x[tuple(slice(first, whole if count == -1 else first + count) for first, count, whole in bounds)]


def reshape(x, shape):
    """0 keeps the dimension in that place, -1 takes what is left."""
    return x.reshape([x.shape[axis] if size == 0 else size for axis, size in enumerate(ints(shape))])


def cumsum(x, axis=0, exclusive=False, reverse=False):
    assert not exclusive and not reverse, "only sums that begin at the first element and count it"
    return np.cumsum(x, axis=int(axis), dtype=x.dtype)


def concat(values, axis, interleave=False):
    """Joined along an axis; scalars make a vector."""
    if interleave:
        raise NotImplementedError("concat with interleave")
    return np.concatenate([np.atleast_1d(value) for value in values], axis=int(axis))


def padded(x, window, strides, pad_type, pad, dilations, value=0.0):
    """x with what a padding type adds around its last two axes."""
    if str(pad_type) in ("same", "same_lower"):
        pads = []
        for size, side, step, gap in zip(x.shape[2:], window, ints(strides), ints(dilations), strict=True):
            total = max(0, (-(-size // step) - 1) * step + (side - 1) * gap + 1 - size)
            pads.append((total // 2, total - total // 2)[:: -1 if str(pad_type) == "same_lower" else 1])
    else:
        top, bottom, left, right = ints(pad) if str(pad_type) == "custom" else (0, 0, 0, 0)
        pads = [(top, bottom), (left, right)]
    return np.pad(x, [(0, 0), (0, 0), *pads], constant_values=value)


def windows(x, window, strides, dilations=(1, 1)):
    """What lies under a window at all its places: [batch, channels, rows, columns, h, w]."""
    (down, across), (below, beside) = ints(strides), ints(dilations)
    reach = [(side - 1) * gap + 1 for side, gap in zip(window, (below, beside), strict=True)]
    all_places = np.lib.stride_tricks.sliding_window_view(x, reach, axis=(2, 3))
    return all_places[:, :, ::down, ::across, ::below, ::beside]


def conv(x, weight, bias=None, strides=(1, 1), pad_type="valid", pad=(0, 0, 0, 0), dilations=(1, 1), groups=1):
    """Two dimensions, group by group."""
    x = padded(x, weight.shape[2:], strides, pad_type, pad, dilations)
    parts = zip(np.split(x, int(groups), axis=1), np.split(weight, int(groups)), strict=True)
    result = np.concatenate(
        [np.einsum("bcyxhw,ochw->boyx", windows(part, matrix.shape[2:], strides, dilations), matrix, optimize=True)
         for part, matrix in parts], axis=1)
    return result if bias is None else result + bias[:, None, None]


def batch_norm(x, mean, variance, gamma=None, beta=None, epsilon=1e-5):
    """Each channel by its statistics."""
    shape = (-1,) + (1,) * (x.ndim - 2)
    scale = 1 / np.sqrt(variance + np.float32(epsilon))
    scale = scale if gamma is None else scale * gamma
    result = (x - mean.reshape(shape)) * scale.reshape(shape)
    return result if beta is None else result + beta.reshape(shape)


def max_pool(x, kernel_sizes, strides=(1, 1), pad_type="valid", pad=(0, 0, 0, 0), ceil_mode=False):
    """The greatest under the window; what is added counts nowhere."""
    only_zero("ceil_mode", ceil_mode)
    x = padded(x, ints(kernel_sizes), strides, pad_type, pad, (1, 1), value=-np.inf)
    return windows(x, ints(kernel_sizes), strides).max(axis=(4, 5))


def avg_pool(x, kernel_sizes, strides=(1, 1), pad_type="valid", pad=(0, 0, 0, 0),
             exclude_padding_from_average=False, ceil_mode=False):
    """The mean under the window, of what was there before the padding or of all."""
    only_zero("ceil_mode", ceil_mode)
    def sums(values):
        spread = padded(values, ints(kernel_sizes), strides, pad_type, pad, (1, 1))
        return windows(spread, ints(kernel_sizes), strides).sum(axis=(4, 5))
    count = sums(np.ones_like(x)) if exclude_padding_from_average else np.float32(np.prod(ints(kernel_sizes)))
    return sums(x) / count


def split(x, axis, num_splits=None, split_sizes=None):
    """Parts of equal or given sizes along an axis."""
    places = int(num_splits) if split_sizes is None else np.cumsum(ints(split_sizes))[:-1]
    return tuple(np.split(x, places, axis=int(axis)))


def cast(x, dtype):
    """To another type; floats are cut towards zero."""
    return np.asarray(x).astype(CASTS[str(dtype)])


def reduction(function):
    """An operation over axes, all of them by default."""
    def reduce(x, axes=None, keep_dims=False):
        return function(x, axis=None if axes is None else ints(axes), keepdims=bool(keep_dims))
    return reduce


def reduce_argmax(x, axis=-1, keep_dims=False, output_dtype="int32"):
    """The first of the largest."""
    return np.argmax(x, axis=int(axis), keepdims=bool(keep_dims))


def classify(probabilities, classes):
    """The likeliest label and the probability of each."""
    labels = [label.item() if isinstance(label, (np.generic, np.ndarray)) else label for label in classes]
    flat = np.asarray(probabilities).reshape(-1)
    return labels[int(flat.argmax())], dict(zip(labels, flat.tolist(), strict=True))


def norm(x, axis, keepdims):
    """Euclidean length."""
    return np.sqrt(np.square(x).sum(axis=axis, keepdims=keepdims))


OPERATIONS = {
    "linear": linear, "matmul": matmul, "scaled_dot_product_attention": attention,
    "layer_norm": layer_norm, "softmax": softmax, "gelu": gelu,
    "relu": lambda x: np.maximum(x, 0), "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "tanh": lambda x: np.tanh(x),
    "erf": lambda x: erf(x), "exp": lambda x: np.exp(x), "sqrt": lambda x: np.sqrt(x), "square": lambda x: x * x,
    "abs": lambda x: np.abs(x), "rsqrt": lambda x, epsilon=1e-12: 1 / np.sqrt(x + np.float32(epsilon)),
    "add": lambda x, y: x + y, "sub": lambda x, y: x - y, "mul": lambda x, y: x * y, "real_div": lambda x, y: x / y,
    "maximum": lambda x, y: np.maximum(x, y), "minimum": lambda x, y: np.minimum(x, y),
    "pow": lambda x, y: np.power(x, y), "clip": lambda x, alpha, beta: np.clip(x, alpha, beta),
    "equal": lambda x, y: x == y, "not_equal": lambda x, y: x != y, "less": lambda x, y: x < y,
    "less_equal": lambda x, y: x <= y, "greater": lambda x, y: x > y, "greater_equal": lambda x, y: x >= y,
    "logical_not": lambda x: ~x, "logical_and": lambda x, y: x & y, "logical_or": lambda x, y: x | y,
    "select": lambda cond, a, b: np.where(cond, a, b), "cast": cast, "identity": lambda x: x,
    "shape": lambda x: np.array(x.shape, dtype=np.int32), "reshape": reshape,
    "transpose": lambda x, perm: np.transpose(x, ints(perm)),
    "expand_dims": lambda x, axes: np.expand_dims(x, ints(axes)),
    "squeeze": lambda x, axes=None: np.squeeze(x, None if axes is None else ints(axes)),
    "conv": conv, "batch_norm": batch_norm, "max_pool": max_pool, "avg_pool": avg_pool,
    "sigmoid_hard": lambda x, alpha=0.2, beta=0.5: np.clip(alpha * x + beta, 0, 1), "cumsum": cumsum,
    "concat": concat, "stack": lambda values, axis: np.stack(values, axis=int(axis)), "split": split,
    "tile": lambda x, reps: np.tile(x, ints(reps)),
    "slice_by_index": slice_by_index, "slice_by_size": slice_by_size,
    "gather": gather, "gather_nd": gather_nd, "gather_along_axis": gather_along_axis,
    "reduce_sum": reduction(np.sum), "reduce_mean": reduction(np.mean), "reduce_max": reduction(np.max),
    "reduce_min": reduction(np.min), "reduce_l2_norm": reduction(norm),
    "reduce_sum_square": reduction(lambda x, axis, keepdims: np.square(x).sum(axis=axis, keepdims=keepdims)),
    "reduce_argmax": reduce_argmax, "classify": classify,
}
