package import Graph
package import Inputs
import StrictJSON
import Weights

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

  /// The set without inputs of reference sets: a model fitted to inputs proves nothing on them.
  ///
  /// Two inputs are equal if the model sees the same of them; for an encoder also if their
  /// embeddings are nearly equal. The shares of a set leave what the whole of it does.
  ///
  /// - Parameters:
  ///   - all: the reference sets, or the shares of one; of none the set is as it is.
  ///   - model: as trained, before its weights are fitted.
  ///   - runs: whether to run the model, on as many threads as `jobs`, to compare embeddings.
  ///   - progress: called with how many inputs were compared by their embeddings, of how many; from any
  ///     thread.
  /// - Returns: the remaining set, and the dropped inputs.
  /// - Throws: `CalibrationError.isReferenceSet`, `sharedInputs`, or `nothingLeft`; `EvaluationError`
  ///   when the model cannot take an input, by its line, or columns are not its features;
  ///   `FileError` when an image cannot be read.
  package func besides(
    _ all: [ReferenceSet], _ overlap: Overlap, for model: Model, runs: Bool, jobs: Int,
    progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
  ) throws -> (set: CalibrationSet, dropped: [SharedInput]) {
    if all.isEmpty { return (self, []) }
    let input = model.architecture.input
    let set = try arranged(for: input)
    let searches = try all.map {
      SharedInputs(calibration: set, references: try $0.arranged(for: input), model: model)
    }
    let found = try searches.map { try $0.seen(jobs: jobs) }
    if case .refused = overlap { try set.refuse(found, all) }
    let seen = CalibrationSet.once(found.map(\.shared))
    let gone = Set(seen.map(\.own))
    // Inputs that the model cannot take are an error where they are used, not here.
    let ofModel = set.inputs.indices.filter { set.inputs[$0].kind == model.kind }
    let looked = runs ? set.compared(ofModel.filter { !gone.contains($0) }, model) : []
    let counts = all.map { looked.count + $0.inputs.count }
    let total = counts.reduce(0, +)
    let alike = try searches.enumerated().map { place, search in
      let before = counts.prefix(place).reduce(0, +)
      defer { progress(before + counts[place], total) }
      return try search.near(looked, jobs: jobs) { progress(before + $0, total) }
    }
    if case .refused = overlap { try set.refuse(alike, all) }
    let near = CalibrationSet.once(alike)
    let rest = set.leaving(seen + near, near: near, of: looked, ofModel)
    guard !rest.inputs.isEmpty else {
      throw CalibrationError.nothingLeft(
        calibration: origin, references: all.map(\.origin).eachOnce.joined(separator: "' or '"))
    }
    return (rest, CalibrationSet.once([seen, near]))
  }

  /// What several sets hold, each input once, in the order of the calibration set.
  private static func once(_ found: [[SharedInput]]) -> [SharedInput] {
    var known: Set<Int> = []
    return found.joined().filter { known.insert($0.own).inserted }.sorted { $0.own < $1.own }
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

  private func refuse(_ found: [SharedInputs.Found], _ all: [ReferenceSet]) throws {
    for file in all.map(\.origin).eachOnce {
      let own = zip(all, found).filter { $0.0.origin == file }
      let isAll =
        own.allSatisfy(\.1.isAllOfReferences)
        && CalibrationSet.once(own.map(\.1.shared)).count == inputs.count
      if isAll || own.contains(where: { $0.0.isOf(digest) }) {
        throw CalibrationError.isReferenceSet(calibration: origin, references: file)
      }
    }
    try refuse(found.map(\.shared), all)
  }

  // Of several files the first that holds some is named, with all that its shares hold.
  private func refuse(_ shared: [[SharedInput]], _ all: [ReferenceSet]) throws {
    guard let first = shared.firstIndex(where: { !$0.isEmpty }) else { return }
    let file = all[first].origin
    throw CalibrationError.sharedInputs(
      calibration: origin, references: file,
      shared: CalibrationSet.once(zip(all, shared).filter { $0.0.origin == file }.map(\.1)))
  }
}

extension ReferenceSet {
  /// Whether it is a set of these bytes, or a share of that.
  fileprivate func isOf(_ bytes: ContentDigest) -> Bool { (cut?.whole ?? digest) == bytes }
}

extension [String] {
  /// The same, without what was there before.
  fileprivate var eachOnce: [String] {
    reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
