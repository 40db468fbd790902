package import Graph
package import Inputs
import StrictJSON

extension CalibrationSet {
  /// The inputs of a reference set, to look at how a model treats them; none to fit weights to.
  package init(inputsOf references: ReferenceSet) {
    self.init(
      origin: references.origin, digest: references.digest, inputs: references.inputs,
      lines: references.lines, features: references.features, images: references.images)
  }

  /// The treatment of inputs that the reference set holds too.
  package enum Overlap: Sendable {
    /// They are an error.
    case refused
    /// They are left out.
    case dropped
  }

  /// The set without inputs of a reference set: a model fitted to inputs proves nothing on them.
  ///
  /// Two inputs are equal if the model sees the same of them; for an encoder also if their
  /// embeddings are nearly equal.
  ///
  /// - Parameters:
  ///   - model: as trained, before its weights are fitted.
  ///   - runs: whether to run the model, on as many threads as `jobs`, to compare embeddings.
  /// - Returns: the remaining set, and the dropped inputs.
  /// - Throws: `CalibrationError.isReferenceSet`, `sharedInputs`, or `nothingLeft`; `EvaluationError`
  ///   when the model cannot take an input, by its line, or columns are not its features;
  ///   `FileError` when an image cannot be read.
  package func besides(
    _ references: ReferenceSet, _ overlap: Overlap, for model: Model, runs: Bool, jobs: Int
  ) throws -> (set: CalibrationSet, dropped: [SharedInput]) {
    let input = model.architecture.input
    let set = try arranged(for: input)
    let search = SharedInputs(
      calibration: set, references: try references.arranged(for: input), model: model)
    let found = try search.seen(jobs: jobs)
    if case .refused = overlap { try set.refuse(found, references) }
    let gone = Set(found.shared.map(\.own))
    // Inputs that the model cannot take are an error where they are used, not here.
    let looked = runs ? set.compared(search.ofModel.filter { !gone.contains($0) }, model) : []
    let near = try search.near(looked, jobs: jobs)
    if case .refused = overlap { try set.refuse(near, references) }
    let all = (found.shared + near).sorted { $0.own < $1.own }
    let rest = set.leaving(all, near: near, of: looked, search.ofModel)
    guard !rest.inputs.isEmpty else {
      throw CalibrationError.nothingLeft(calibration: origin, references: references.origin)
    }
    return (rest, all)
  }

  // Compares embeddings of images, and of as many texts as weights are fitted to. A model sees the
  // numbers of tables as they are, and their vectors are so short that many are alike.
  private func compared(_ numbers: [Int], _ model: Model) -> [Int] {
    guard case .embedding = model.architecture.output else { return [] }
    let maximum: Int
    switch model.architecture.input {
    case .features: maximum = 0
    case .image: maximum = numbers.count
    case .tokens: maximum = CalibrationSettings().maxInputs
    }
    return EvenChoice.indices(of: numbers.count, maximum: maximum).map { numbers[$0] }
  }

  // If a compared input is dropped, no input that was not compared may take its place.
  private func leaving(
    _ shared: [SharedInput], near: [SharedInput], of looked: [Int], _ ofModel: [Int]
  ) -> CalibrationSet {
    if shared.isEmpty { return self }
    var out = Set(shared.map(\.own))
    if !near.isEmpty { out.formUnion(Set(ofModel).subtracting(looked)) }
    return leavingOut(out)
  }

  /// Says that inputs were dropped.
  package static func droppedWords(_ dropped: [SharedInput], of path: String) -> String {
    "\(path): \(Figures.count(dropped.count, "input")) of the reference set left out of the "
      + "calibration\(dropped.kinds)"
  }

  private func refuse(_ found: SharedInputs.Found, _ references: ReferenceSet) throws {
    let isAll = found.shared.count == inputs.count && found.isAllOfReferences
    if digest == references.digest || isAll {
      throw CalibrationError.isReferenceSet(calibration: origin, references: references.origin)
    }
    try refuse(found.shared, references)
  }

  private func refuse(_ shared: [SharedInput], _ references: ReferenceSet) throws {
    if shared.isEmpty { return }
    throw CalibrationError.sharedInputs(
      calibration: origin, references: references.origin, shared: shared)
  }
}
