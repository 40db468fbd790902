import Formats
import Foundation
import Graph
import Weights

/// Small CLIP models of random weights in either layout, with what PyTorch makes of them.
enum ClipModels {
  /// The folder that `make_clip.py` filled.
  static let folder = ProcessInfo.processInfo.environment["INGOT_CLIP"]
  static let isAvailable = Oracle.isAvailable && folder != nil
  /// The folder of models of the real ViT-B/32 shapes, 605 MB each.
  static let realFolder = ProcessInfo.processInfo.environment["INGOT_CLIP_REAL"]
  static let isRealAvailable = Oracle.isAvailable && realFolder != nil

  static let names = [
    "hf-gelu", "hf-quick", "hf-positions", "openclip-gelu", "openclip-quick", "openclip-mask",
    "openclip-custom",
  ]

  static func path(_ name: String) -> String { "\(folder ?? "")/\(name)" }
  static func realPath(_ name: String) -> String { "\(realFolder ?? "")/\(name)" }
}

/// Outputs that transformers or OpenCLIP computed for one of the models.
struct ClipExpectation {
  private let arrays: WeightCollection

  /// - Parameter path: the model's folder.
  init(path: String) throws {
    arrays = try WeightCollection.open("\(path)/expected.npz")
  }

  init(_ name: String) throws { try self.init(path: ClipModels.path(name)) }

  /// The numbers of an array, row by row.
  func rows(_ name: TensorName) throws -> [[Float]] {
    let shape = arrays.shape(of: name) ?? []
    let width = shape.dropFirst().reduce(1, *)
    let values = try arrays.floats(of: name)
    return stride(from: 0, to: values.count, by: width).map { Array(values[$0..<$0 + width]) }
  }
}
