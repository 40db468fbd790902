import Graph
import Inputs

/// Looks for values that a device would compute in float16 and that float16 cannot hold.
///
/// The executor computes in float32 and would not notice: a device gives infinities there.
struct RangeAudit {
  /// One value that is too large.
  struct Overflow {
    let value: String
    let magnitude: Float
    /// Short form of the input.
    let input: String

    var reason: RefusalReason { .overflow(value: value, magnitude: magnitude, input: input) }
  }

  /// The largest number of float16.
  private static let limit: Float = 65504
  /// Texts or images that are looked at, at most: every value of each is measured. Features cost
  /// nothing.
  private static let maxInputs = 16
  /// Values that are named, at most.
  private static let maxNamed = 3

  /// Values that would overflow on a device, the largest first; empty if none would.
  ///
  /// - Parameters:
  ///   - inputs: the inputs it is judged on; of many texts or images a sample, spread evenly.
  ///   - images: the folder of the image files.
  static func overflows(
    of runner: ModelRunner, _ inputs: [Input], images: ImageFiles
  ) throws -> [Overflow] {
    let model = runner.model
    let values = model.architecture.float16Values
    guard !values.isEmpty, !inputs.isEmpty else { return [] }
    let maximum = model.kind == .values ? inputs.count : maxInputs
    let places = Array(
      stride(from: 0, to: inputs.count, by: (inputs.count + maximum - 1) / maximum))
    defer { runner.forgetWeights() }
    var largest: [String: Overflow] = [:]
    let measured = try runner.magnitudes(for: places, of: inputs, images: images)
    for (place, magnitudes) in zip(places, measured) {
      for (value, magnitude) in magnitudes where values.contains(value) && !(magnitude <= limit) {
        if let known = largest[value], !(known.magnitude < magnitude) { continue }
        largest[value] = Overflow(
          value: value, magnitude: magnitude, input: inputs[place].label)
      }
    }
    let worst = largest.values.sorted { ($0.magnitude, $1.value) > ($1.magnitude, $0.value) }
    return Array(worst.prefix(maxNamed))
  }
}
