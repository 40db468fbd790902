import Graph
import Inputs
import StrictJSON
import Weights

/// Finds inputs of a calibration set that a reference set holds too, in any form: a model fitted to
/// them proves nothing on them.
struct SharedInputs {
  /// Embeddings with a larger cosine are those of one input in disguise.
  static let nearCosine = 0.9999

  let calibration: CalibrationSet
  let references: ReferenceSet
  let model: Model

  /// Inputs that both sets hold, in the order of the calibration set.
  struct Found {
    var shared: [SharedInput]
    /// Whether everything the reference set holds is among it.
    var isAllOfReferences: Bool
  }

  /// Inputs that are equal to the model: same token ids, numbers or pixels.
  ///
  /// - Throws: `EvaluationError` for an input the model cannot take, by its line, and `FileError`
  ///   for an image that cannot be read.
  func seen(jobs: Int) throws -> Found {
    let reader = try InputReader(model: model)
    let theirs = try views(
      references.inputs, references.images, reader, jobs, references.origin, references.lines)
    let places = Dictionary(zip(theirs, theirs.indices)) { first, _ in first }
    let ours = try views(
      calibration.inputs, calibration.images, reader, jobs, calibration.origin, calibration.lines)
    let shared = try ours.indices.compactMap { number in
      try places[ours[number]].map { other in
        found(number, other, try likeness(number, other, ours[number]))
      }
    }
    return Found(
      shared: shared, isAllOfReferences: Set(shared.map(\.other)).count == places.count)
  }

  /// Inputs whose embeddings are nearly those of the references.
  ///
  /// - Parameters:
  ///   - numbers: of the inputs that are looked at, all of the model's kind.
  ///   - progress: called with how many of those and of the references ran, from any thread.
  /// - Throws: as running the model.
  func near(
    _ numbers: [Int], jobs: Int, progress: @escaping @Sendable (Int) -> Void
  ) throws -> [SharedInput] {
    if numbers.isEmpty || !references.inputs.contains(where: isOurs) { return [] }
    let digests = try model.digests()
    let theirs = try references.embeddings(by: model, digests, jobs: jobs, progress: progress)
    let count = theirs.numbers.count
    let inputs = numbers.map { calibration.inputs[$0] }
    let ours = try placing(calibration.origin, numbers.map { calibration.lines[$0] }) {
      try calibration.memory.outputs(OutputMemory.Key(model, digests, inputs)) {
        try ModelRunner(model: model, jobs: jobs)
          .outputs(for: inputs, images: calibration.images) { done, _ in progress(count + done) }
      }
    }
    try ours.requireMemory(toSearch: theirs.outputs, of: calibration.origin)
    return ours.near(theirs.outputs, above: SharedInputs.nearCosine).map { near in
      found(numbers[near.row], theirs.numbers[near.other], .embedding(near.cosine))
    }
  }

  private func isOurs(_ input: Input) -> Bool { input.kind == model.kind }

  // Inputs that the model does not take are compared as they are written.
  private func views(
    _ inputs: [Input], _ images: ImageFiles, _ reader: InputReader, _ jobs: Int, _ origin: String,
    _ lines: [Int]
  ) throws -> [SeenInput] {
    let taken = inputs.indices.filter { isOurs(inputs[$0]) }
    let seen = try placing(origin, taken.map { lines[$0] }) {
      try reader.seen(taken.map { inputs[$0] }, images: images, jobs: jobs)
    }
    var views = Dictionary(zip(taken, seen)) { first, _ in first }
    for number in inputs.indices where views[number] == nil {
      views[number] = try SeenInput(inputs[number], images: images)
    }
    return inputs.indices.compactMap { views[$0] }
  }

  private func placing<Result>(
    _ origin: String, _ lines: [Int], _ work: () throws -> Result
  ) throws -> Result {
    do {
      return try work()
    } catch let error as EvaluationError {
      throw error.placed(in: origin) { lines[$0] }
    }
  }

  private func likeness(
    _ own: Int, _ other: Int, _ view: SeenInput
  ) throws -> SharedInput.Likeness {
    let (first, second) = (calibration.inputs[own], references.inputs[other])
    if first == second, first.kind != .image { return .written }
    switch view {
    case .tokens: return .tokens
    case .values: return .values
    case .written, .file: return .written
    case .pixels:
      let isSame =
        try SeenInput(first, images: calibration.images)
        == SeenInput(second, images: references.images)
      return isSame ? .written : .pixels
    }
  }

  private func found(
    _ own: Int, _ other: Int, _ likeness: SharedInput.Likeness
  ) -> SharedInput {
    SharedInput(
      own: own, line: calibration.lines[own], other: other, referenceLine: references.lines[other],
      label: calibration.inputs[own].label, referenceLabel: references.inputs[other].label,
      likeness: likeness)
  }
}
