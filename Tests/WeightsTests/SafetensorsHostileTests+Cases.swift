import TestSupport
import Testing

@testable import Weights

// Entries and layouts that are refused.
extension SafetensorsHostileTests {
  static let entryCases: [HostileCase] = [
    HostileCase(
      "metadata is no object", file.file(#"{"__metadata__":[]}"#),
      "m (header):1:17: '__metadata__' is an array of 0, expected an object"),
    HostileCase(
      "metadata is null", file.file(#"{"__metadata__":null}"#),
      "m (header):1:17: '__metadata__' is null, expected an object"),
    HostileCase(
      "a number in the metadata", file.file(#"{"__metadata__":{"epoch":3}}"#),
      "m (header):1:26: 'epoch' is the number 3, expected a string"),
    HostileCase(
      "metadata in two Unicode spellings",
      file.file("{\"__metadata__\":{\"\u{E9}\":\"1\",\"e\u{301}\":\"2\"}}"),
      "m (header):1:33: the key 'e\u{301}' appears twice in two Unicode spellings"),
    HostileCase(
      "a tensor is a number", file.file(#"{"a":1}"#),
      "m (header):1:6: 'a' is the number 1, expected an object"),
    HostileCase(
      "no dtype", file.tensor(#""shape":[],"data_offsets":[0,0]"#),
      "m (header):1:6: the key 'dtype' is missing"),
    HostileCase(
      "no shape", file.tensor(#""dtype":"U8","data_offsets":[0,0]"#),
      "m (header):1:6: the key 'shape' is missing"),
    HostileCase(
      "no offsets", file.tensor(#""dtype":"U8","shape":[0]"#),
      "m (header):1:6: the key 'data_offsets' is missing"),
    HostileCase(
      "an unknown key", file.tensor(#""dtype":"U8","shape":[0],"strides":[1]"#),
      "m (header):1:42: unknown key 'strides'; known here: dtype, shape, data_offsets"),
    HostileCase(
      "unknown dtype", file.tensor(#""dtype":"F12","shape":[0],"data_offsets":[0,0]"#),
      "m (header):1:6: tensor 'a' has the unknown dtype 'F12'"),
    HostileCase(
      "dtype in lower case", file.tensor(#""dtype":"f32","shape":[0],"data_offsets":[0,0]"#),
      "m (header):1:6: tensor 'a' has the unknown dtype 'f32'"),
    HostileCase(
      "dtype with terminal codes",
      file.tensor(#""dtype":"\u001b[2J","shape":[0],"data_offsets":[0,0]"#),
      #"m (header):1:6: tensor 'a' has the unknown dtype '\u{1b}[2J'"#),
    HostileCase(
      "dtype is a number", file.tensor(#""dtype":32,"shape":[0],"data_offsets":[0,0]"#),
      "m (header):1:15: 'dtype' is the number 32, expected a string"),
    HostileCase(
      "shape is a number", file.tensor(#""dtype":"U8","shape":2,"data_offsets":[0,2]"#, data: 2),
      "m (header):1:28: 'shape' is the number 2, expected an array"),
    HostileCase(
      "negative dimension",
      file.tensor(#""dtype":"U8","shape":[-1],"data_offsets":[0,2]"#, data: 2),
      "m (header):1:29: 'shape' holds the number -1, expected whole numbers from 0"),
    HostileCase(
      "negative zero", file.tensor(#""dtype":"U8","shape":[-0],"data_offsets":[0,0]"#),
      "m (header):1:29: 'shape' holds the number -0, expected whole numbers from 0"),
    HostileCase(
      "fractional dimension",
      file.tensor(#""dtype":"U8","shape":[2.0],"data_offsets":[0,2]"#, data: 2),
      "m (header):1:29: 'shape' holds the number 2.0, expected whole numbers from 0"),
    HostileCase(
      "dimension beyond 64 bits",
      file.tensor(#""dtype":"U8","shape":[18446744073709551616],"data_offsets":[0,0]"#),
      "m (header):1:29: 'shape' holds the number 18446744073709551616, expected whole numbers"
        + " from 0"),
    HostileCase(
      "dimension is a string", file.tensor(#""dtype":"U8","shape":["2"],"data_offsets":[0,2]"#),
      "m (header):1:29: 'shape' holds the string \"2\", expected whole numbers from 0"),
    HostileCase(
      "65 dimensions",
      file.tensor(
        #""dtype":"U8","shape":[1"# + String(repeating: ",1", count: 64)
          + #"],"data_offsets":[0,1]"#, data: 1),
      "m (header):1:6: tensor 'a' has 65 dimensions, the limit is 64"),
  ]

  static let layoutCases: [HostileCase] = [
    HostileCase(
      "size overflows",
      file.tensor(#""dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,0]"#),
      "m (header):1:6: tensor 'a' has the shape [4294967296, 4294967296], whose size overflows"),
    HostileCase(
      "size overflows beside a zero",
      file.tensor(#""dtype":"U8","shape":[0,4294967296,4294967296],"data_offsets":[0,0]"#),
      "m (header):1:6: tensor 'a' has the shape [0, 4294967296, 4294967296], whose size overflows"
    ),
    HostileCase(
      "bits overflow",
      file.tensor(#""dtype":"F64","shape":[1152921504606846976],"data_offsets":[0,0]"#),
      "m (header):1:6: tensor 'a' has the shape [1152921504606846976], whose size overflows"),
    HostileCase(
      "half a byte", file.tensor(#""dtype":"F4","shape":[3],"data_offsets":[0,2]"#, data: 2),
      "m (header):1:6: tensor 'a' needs 12 bits for F4 [3], not a whole number of bytes"),
    HostileCase(
      "six-bit values that do not fill bytes",
      file.tensor(#""dtype":"F6_E2M3","shape":[2],"data_offsets":[0,2]"#, data: 2),
      "m (header):1:6: tensor 'a' needs 12 bits for F6_E2M3 [2], not a whole number of bytes"),
    HostileCase(
      "one offset", file.tensor(#""dtype":"U8","shape":[0],"data_offsets":[0]"#),
      "m (header):1:6: tensor 'a' has 1 data_offsets, expected 2"),
    HostileCase(
      "three offsets", file.tensor(#""dtype":"U8","shape":[0],"data_offsets":[0,0,0]"#),
      "m (header):1:6: tensor 'a' has 3 data_offsets, expected 2"),
    HostileCase(
      "offsets run backwards",
      file.tensor(#""dtype":"U8","shape":[2],"data_offsets":[2,0]"#, data: 2),
      "m (header):1:6: tensor 'a' has data_offsets [2, 0], which run backwards"),
    HostileCase(
      "negative offset", file.tensor(#""dtype":"U8","shape":[2],"data_offsets":[-2,0]"#),
      "m (header):1:48: 'data_offsets' holds the number -2, expected whole numbers from 0"),
    HostileCase(
      "fewer bytes than the shape needs",
      file.tensor(#""dtype":"F32","shape":[2,2],"data_offsets":[0,12]"#, data: 12),
      "m (header):1:6: tensor 'a' has 12 bytes, F32 [2, 2] needs 16"),
    HostileCase(
      "more bytes than the shape needs",
      file.tensor(#""dtype":"F32","shape":[],"data_offsets":[0,8]"#, data: 8),
      "m (header):1:6: tensor 'a' has 8 bytes, F32 [] needs 4"),
    HostileCase(
      "offsets overflow",
      file.tensor(
        #""dtype":"U8","shape":[9223372036854775807],"data_offsets":[0,9223372036854775807]"#),
      "m (header):1:6: tensor 'a' has the shape [9223372036854775807], whose size overflows"),
    HostileCase(
      "offsets at the end of the number range",
      file.tensor(
        #""dtype":"U8","shape":[1],"data_offsets":[9223372036854775806,9223372036854775807]"#),
      "m (header):1:6: tensor 'a' has data_offsets that overflow"),
    HostileCase(
      "data truncated",
      file.tensor(#""dtype":"F32","shape":[2,2],"data_offsets":[0,16]"#, data: 15),
      "m: the tensors take 16 bytes, the file holds 15 bytes of data"),
    HostileCase(
      "bytes after the last tensor", file.tensor(good, data: 3),
      "m: the tensors take 2 bytes, the file holds 3 bytes of data"),
    HostileCase(
      "data without tensors", file.file("{}", data: 1),
      "m: the tensors take 0 bytes, the file holds 1 bytes of data"),
    HostileCase(
      "gap at the start", file.tensor(#""dtype":"U8","shape":[2],"data_offsets":[1,3]"#, data: 3),
      "m: tensor 'a' starts at byte 1 of the data and leaves a gap after the tensor before it,"
        + " which ends at 0"),
    HostileCase(
      "gap between tensors",
      file.file(
        #"{"a":{\#(good)},"b":{"dtype":"U8","shape":[1],"data_offsets":[3,4]}}"#, data: 4),
      "m: tensor 'b' starts at byte 3 of the data and leaves a gap after the tensor before it,"
        + " which ends at 2"),
    HostileCase(
      "overlap",
      file.file(
        #"{"a":{\#(good)},"b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}}"#, data: 3),
      "m: tensor 'b' starts at byte 1 of the data and overlaps the tensor before it, which ends"
        + " at 2"),
    HostileCase(
      "same bytes twice",
      file.file(#"{"a":{\#(good)},"b":{\#(good)}}"#, data: 2),
      "m: tensor 'b' starts at byte 0 of the data and overlaps the tensor before it, which ends"
        + " at 2"),
    HostileCase(
      "an empty tensor inside another",
      file.file(
        #"{"a":{\#(good)},"b":{"dtype":"U8","shape":[0],"data_offsets":[1,1]}}"#, data: 2),
      "m: tensor 'b' starts at byte 1 of the data and overlaps the tensor before it, which ends"
        + " at 2"),
  ]

}
