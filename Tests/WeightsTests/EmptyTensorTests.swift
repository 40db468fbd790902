import Files
import TestSupport
import Testing

@testable import Weights

/// A shape without values costs no bytes, and may claim any number of rows.
@Suite struct EmptyTensorTests {
  let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  static let vast: [[Int]] = [
    [0, Int.max], [Int.max, 0], [0, 1 << 40], [1 << 40, 0], [1_000_000_000_000, 0], [0, 1 << 31],
    [1 << 16, 0, 1 << 15],
  ]
  static let fine: [[Int]] = [
    [0], [0, 0], [0, (1 << 31) - 1], [(1 << 31) - 1, 0], [3, 0],
  ]

  private func safetensors(_ shape: [Int]) throws -> String {
    try scratch.write(
      "x.safetensors",
      SafetensorsBytes.tensor(#""dtype":"F32","shape":\#(shape),"data_offsets":[0,0]"#))
  }

  private func npy(_ shape: [Int], fortran: Bool) -> [UInt8] {
    let text = "(" + shape.map { "\($0)," }.joined(separator: " ") + ")"
    return NpyBytes.array("<f4", text, data: [], fortran: fortran)
  }

  @Test(arguments: vast) func vastShapesAreRefused(_ shape: [Int]) throws {
    let fault =
      "has the shape \(shape), no values and dimensions beyond 2147483647; save it "
      + "without the empty array"
    let file = try safetensors(shape)
    #expect(opening(file) == "\(file) (header):1:6: tensor 'a' \(fault)")
    for isFortran in [false, true] {
      let array = npy(shape, fortran: isFortran)
      let path = try scratch.write("x.npy", array)
      #expect(opening(path) == "\(path): \(fault)")
      let archive = try scratch.write("x.npz", ZipBytes([ZipBytes.Member("m.npy", array)]).bytes)
      #expect(opening(archive) == "\(archive): member 'm.npy': \(fault)")
    }
  }

  @Test(arguments: fine) func othersAreRead(_ shape: [Int]) throws {
    #expect(try WeightCollection.open(safetensors(shape))["a"]?.floats() == [])
    for isFortran in [false, true] {
      let path = try scratch.write("x.npy", npy(shape, fortran: isFortran))
      #expect(try WeightCollection.open(path)["x"]?.floats() == [])
    }
  }
}
