import Graph
import StrictJSON
import WeightCompression

/// How one compressed tensor lies in a safetensors file, as its `ingot.tensors` entry says.
///
/// The format is described in `specs/formats/compressed-safetensors.md`.
enum CompressedLayout: Equatable {
  /// `name`: F32, the tensor's shape.
  case kept
  /// `name`: I8, the tensor's shape; `name:scale`: F32, the same rank, 1 where shared.
  case int8
  /// `name:indices`: U8, packed bits; `name:palette`: F32 [groups, 2^bits]; groups lie along `axis`.
  case palette(bits: Int, axis: Int)

  /// Value of the metadata key `ingot.format`.
  static let version = "1"

  /// Metadata keys of the format.
  enum Key {
    static let format = "ingot.format"
    static let architecture = "ingot.architecture"
    static let tensors = "ingot.tensors"
    static let files = "ingot.files"
    static let source = "ingot.source"
    static let recipe = "ingot.recipe"
    static let all = [format, architecture, tensors, files, source, recipe]
  }

  static func scaleName(_ name: String) -> String { name + ":scale" }
  static func indicesName(_ name: String) -> String { name + ":indices" }
  static func paletteName(_ name: String) -> String { name + ":palette" }

  /// The entry of a tensor in `ingot.tensors`.
  static func entry(for tensor: CompressedTensor) -> JSONValue {
    let shape = JSONValue.array(tensor.shape.map(JSONValue.integer))
    switch tensor.content {
    case .kept: return ["scheme": "kept", "shape": shape]
    case .int8: return ["scheme": "int8", "shape": shape]
    case .palette(_, let bits, _, _):
      return [
        "scheme": "palette", "shape": shape, "bits": .integer(bits),
        "axis": .integer(tensor.role.channelAxis),
      ]
    }
  }

  /// Reads an entry of `ingot.tensors`.
  static func parse(_ entry: JSONObject) throws -> (layout: CompressedLayout, shape: [Int]) {
    let shape = try entry.array("shape").map { (node) throws(JSONError) -> Int in
      guard let length = node.integer, length >= 0 else {
        throw entry.mismatch("shape", expected: "an array of axis lengths", node)
      }
      return length
    }
    let scheme = try entry.string("scheme")
    switch scheme {
    case "kept": return (.kept, shape)
    case "int8": return (.int8, shape)
    case "palette":
      let bits = try entry.integer("bits", in: 1...8)
      guard [1, 2, 3, 4, 6, 8].contains(bits), !shape.isEmpty else {
        throw entry.error("a palette of \(bits) bits for shape \(shape)", at: entry.position)
      }
      return (.palette(bits: bits, axis: try entry.integer("axis", in: 0...shape.count - 1)), shape)
    default:
      throw entry.error(
        "scheme '\(scheme)' is unknown; known: kept, int8, palette", at: entry.position)
    }
  }
}
