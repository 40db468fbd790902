import Formats
import TestSupport
import Testing

/// What an archive holds beyond the shapes that a model has is not inflated: these are judged first.
struct UnaskedArraysTests {
  private static let count = 1 << 20

  /// A member whose header is sound and whose stream is damaged behind it: whoever inflates it sees that.
  private static func damaged(_ name: String, _ descr: String, width: Int) -> ZipBytes.Member {
    var state: UInt64 = 1
    let values = (0..<count * width).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1
      return UInt8(truncatingIfNeeded: state >> 56)
    }
    let array = NpyBytes.array(descr, "(\(count),)", data: values)
    var stored = ZipBytes.deflated(array)
    stored.replaceSubrange(
      stored.count / 2..<stored.count / 2 + 4096, with: repeatElement(0xFF, count: 4096))
    return ZipBytes.Member(name, array, deflated: true).with { $0.stored = stored }
  }

  @Test func anArrayOfTreesOfAnotherShapeIsNotInflated() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "m/model.json",
      """
      {"architecture": "trees", "inputs": [{"name": "x"}], "float32_features": true,
       "trees": {"starts": "starts", "children_left": "left", "children_right": "right",
                 "feature": "feature", "threshold": "threshold", "value": "value"},
       "output": {"name": "y", "kind": "regressor"}}
      """)
    func member(_ name: String, _ values: [UInt8]) -> ZipBytes.Member {
      ZipBytes.Member(
        name, NpyBytes.array("|i1", "(\(values.count),)", data: values), deflated: true)
    }
    let sound = [
      member("starts.npy", [0]), member("left.npy", [1, 255, 255]),
      member("right.npy", [2, 255, 255]), member("feature.npy", [0, 0, 0]),
      member("value.npy", [0, 1, 2]),
    ]
    try folder.write(
      "m/w.npz", ZipBytes(sound + [Self.damaged("threshold.npy", "|i1", width: 1)]).bytes)
    let words = refusal { _ = try ModelLoader.open(folder.path("m")) }
    #expect(
      words.hasSuffix("the array of 'children_left' has the shape [3], expected [1048576]"),
      "\(words)")
    // Of the right shape it is asked for.
    try folder.write("m/w.npz", ZipBytes(sound + [member("threshold.npy", [1, 0, 0])]).bytes)
    _ = try ModelLoader.open(folder.path("m"))
  }

  @Test func aWeightOfAnotherShapeIsNotInflated() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "m/model.json",
      """
      {"architecture": "dense", "inputs": [{"name": "x"}], "layers": [{"weight": "w"}],
       "output": {"name": "y", "kind": "regressor"}}
      """)
    try folder.write("m/w.npz", ZipBytes([Self.damaged("w.npy", "<f4", width: 4)]).bytes)
    let words = refusal { _ = try ModelLoader.open(folder.path("m")) }
    #expect(words.contains("[1048576]") && !words.contains("deflate"), "\(words)")
  }
}
