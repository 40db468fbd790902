import Graph
import Testing

struct IdentifierTests {
  static let names: [(name: String, identifier: String)] = [
    ("w", "w"), ("_", "_"), ("A9_z", "A9_z"), ("encoder.layer.0.bias", "encoder_layer_0_bias"),
    ("a/b c", "a_b_c"), ("1st", "_1st"), ("", "_"), ("é", "__"), ("e\u{301}", "e__"), ("😀", "____"),
    ("a\0b", "a_b"), ("a@b", "a_b"), ("@", "_"), ("tensor", "tensor_workaround"),
    ("fp16", "fp16_workaround"), ("state", "state_workaround"), ("true", "true_workaround"),
    ("Tensor", "Tensor"), ("tensors", "tensors"), ("tensor.", "tensor_"), ("9", "_9"),
  ]

  @Test(arguments: names) func nearest(_ test: (name: String, identifier: String)) {
    #expect(Identifier.make(from: test.name) == test.identifier)
    #expect(Identifier.isValid(test.identifier))
    #expect(Identifier.make(from: test.identifier) == test.identifier)
  }

  @Test(arguments: ["a", "_", "_9", "a@b", "Z_9@", "workaround"])
  func valid(_ name: String) { #expect(Identifier.isValid(name)) }

  @Test(arguments: [
    "", "9", "9a", "@a", "a.b", "a b", "é", "a\u{301}", "a\0", "-", "bool", "dict", "uint64", "any",
    "false", "bf16",
  ])
  func invalid(_ name: String) { #expect(!Identifier.isValid(name)) }

  static let lists: [(names: [String], identifiers: [String])] = [
    ([], []), (["a", "b"], ["a", "b"]), (["a.b", "a/b", "a_b"], ["a_b", "a_b_1", "a_b_2"]),
    (["a", "a", "a_1"], ["a", "a_1", "a_1_1"]), (["a_1", "a", "a"], ["a_1", "a", "a_2"]),
    (["", "", "_"], ["_", "__1", "__2"]), (["é", "è"], ["__", "___1"]),
    (["int8", "int8_workaround"], ["int8_workaround", "int8_workaround_1"]),
  ]

  @Test(arguments: lists) func distinct(_ test: (names: [String], identifiers: [String])) {
    #expect(Identifier.distinct(for: test.names) == test.identifiers)
    #expect(Set(test.identifiers).count == test.names.count)
  }
}
