import TestSupport
import Testing

@testable import Weights

@Suite struct SafetensorsIndexTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let index: String
    /// The message; `%` is the path of the index.
    let message: String
    var testDescription: String { name }
  }

  private static let plain = "expected a plain name in the same folder"

  static let cases: [Case] = [
    Case(
      name: "no map", index: #"{"metadata":{}}"#, message: "%:1:1: the key 'weight_map' is missing"),
    Case(
      name: "a list", index: #"{"weight_map":[]}"#,
      message: "%:1:15: 'weight_map' is an array of 0, expected an object"),
    Case(
      name: "an empty map", index: #"{"weight_map":{}}"#, message: "%:1:15: 'weight_map' is empty"),
    Case(
      name: "a number", index: #"{"weight_map":{"a":1}}"#,
      message: "%:1:20: 'a' is the number 1, expected the name of a file"),
    Case(
      name: "a path upwards", index: #"{"weight_map":{"a":"../one.safetensors"}}"#,
      message: "%:1:20: 'a' names the file '../one.safetensors', \(plain)"),
    Case(
      name: "an absolute path", index: #"{"weight_map":{"a":"/etc/passwd"}}"#,
      message: "%:1:20: 'a' names the file '/etc/passwd', \(plain)"),
    Case(
      name: "a separator hidden by a mark", index: "{\"weight_map\":{\"a\":\"x/\u{338}y\"}}",
      message: "%:1:20: 'a' names the file 'x/\u{338}y', \(plain)"),
    Case(
      name: "a zero byte", index: #"{"weight_map":{"a":"one.safetensors\u0000x"}}"#,
      message: #"%:1:20: 'a' names the file 'one.safetensors\u{0}x', \#(plain)"#),
    Case(
      name: "the folder itself", index: #"{"weight_map":{"a":".."}}"#,
      message: "%:1:20: 'a' names the file '..', \(plain)"),
    Case(
      name: "no name", index: #"{"weight_map":{"a":""}}"#,
      message: "%:1:20: 'a' names the file '', \(plain)"),
    Case(
      name: "a missing shard", index: #"{"weight_map":{"one":"three.safetensors"}}"#,
      message: "%: names the shard 'three.safetensors', which is missing"),
    Case(
      name: "a tensor that is not listed", index: #"{"weight_map":{"x":"one.safetensors"}}"#,
      message: "%: tensor 'one' is in shard 'one.safetensors' but not in the index"),
    Case(
      name: "a tensor in another shard",
      index: #"{"weight_map":{"one":"two.safetensors","two":"one.safetensors"}}"#,
      message: "%: tensor 'one' is in shard 'one.safetensors', the index places it in"
        + " 'two.safetensors'"),
    Case(
      name: "a tensor that is missing",
      index: #"{"weight_map":{"one":"one.safetensors","b":"one.safetensors"}}"#,
      message: "%: tensor 'b' is not in shard 'one.safetensors', where the index places it"),
    Case(
      name: "a tensor listed twice",
      index: #"{"weight_map":{"one":"one.safetensors","one":"two.safetensors"}}"#,
      message: "%:1:40: the key 'one' appears twice in one object"),
  ]

  @Test(arguments: cases) func refused(_ test: Case) throws {
    let scratch = try TemporaryFolder()
    _ = try scratch.write("one.safetensors", SafetensorsBytes.floats("one", [1]))
    _ = try scratch.write("two.safetensors", SafetensorsBytes.floats("two", [2]))
    let index = try scratch.write("model.safetensors.index.json", Array(test.index.utf8))
    let expected =
      test.message.utf8.first == UInt8(ascii: "%") ? index + test.message.dropFirst() : test.message
    do throws(WeightsError) {
      _ = try WeightCollection.open(scratch.path)
      Issue.record("accepted")
    } catch {
      #expect(error.description == expected)
    }
  }
}
