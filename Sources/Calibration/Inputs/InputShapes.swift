import Graph
import IngotFeatures
import WeightCompression

/// The sizes of values in a model's layers, which limit the number of inputs.
struct InputShapes {
  /// Rows that an input other than a text has in the layer with most.
  let rowsPerInput: Int
  /// Inputs or outputs of the widest layer.
  let width: Int

  init(rowsPerInput: Int, width: Int = 1) {
    self.rowsPerInput = rowsPerInput
    self.width = width
  }

  /// - Parameter graph: of one input.
  init(_ layers: [CalibratedLayer], in graph: ModelGraph) {
    let outputs = Set(layers.map(\.output))
    rowsPerInput =
      graph.nodes.filter { outputs.contains($0.name) }
      .map { $0.type.shape.dropLast().reduce(1, *) }.max() ?? 1
    width = layers.map { max($0.weight.channels, $0.weight.inputs ?? 1) }.max() ?? 1
  }

  /// The texts and copies that are used.
  struct Budget: Equatable {
    /// Numbers of texts, ascending.
    let indices: [Int]
    /// Noisy copies of each.
    let copies: Int
  }

  /// Most inputs other than texts, so that neither they nor a layer's values have more numbers than
  /// the limit; unlimited for texts, whose lengths are not known yet.
  func maxInputs(of model: Model, _ maxValues: Int) -> Int {
    let size: Int
    switch model.architecture.input {
    case .tokens: return .max
    case .features(let schema): size = schema.columnCount
    case .image(let width, let height): size = 3 * width * height
    }
    return max(1, maxValues / max(1, size, rowsPerInput * width))
  }

  /// Gives up copies first, then texts, evenly; one text always stays.
  func budget(lengths: [Int], _ settings: CalibrationSettings) -> Budget {
    let maximum = max(1, settings.maxValues / max(1, width))
    let total = lengths.reduce(0, +)
    guard total > maximum else {
      let room = min(maximum / max(1, total), settings.maxInputs / max(1, lengths.count))
      return Budget(
        indices: Array(lengths.indices), copies: max(0, min(settings.noisyCopies, room - 1)))
    }
    var count = max(1, lengths.count * maximum / total)
    while true {
      let indices = EvenChoice.indices(of: lengths.count, maximum: count)
      let sum = indices.reduce(0) { $0 + lengths[$1] }
      if sum <= maximum || count == 1 { return Budget(indices: indices, copies: 0) }
      count -= 1
    }
  }
}
