import Files
import Formats
package import Graph
package import Inputs
import Weights

/// Models and reference sets that were opened: whoever asks for one next gets the same one.
///
/// Validation, the reading of inputs and the work itself ask for the models of a build in turn. What
/// is worked on is thus what was validated, where it is small or nobody asked for another model in
/// between. Of others only the last is kept: a project may have hundreds.
package final class ModelMemory: Sendable {
  /// A model as it is asked for.
  struct Source: Hashable {
    let path: String
    let prompt: PromptChoice?
    let encoder: EncoderKind?
  }

  /// A reference set as it is asked for.
  struct References: Hashable {
    let path: String
    let columns: NamedColumns
  }

  /// A small model, and the names in its folder before it was opened; nil of a file.
  private struct Small {
    let models: [Model]
    let names: [String]?
  }

  private struct State {
    var last: (source: Source, models: [Model])?
    var small: [Source: Small] = [:]
    var sets: [References: ReferenceSet] = [:]
    /// Bytes of the files of all that are small.
    var byteCount = 0
  }

  /// Most bytes of the files of all small models and reference sets that are kept.
  private static let byteLimit = 4 << 20
  /// Most bytes of a reference set that is kept.
  private static let setByteLimit = 64 << 10

  private let state = Mutex(State())

  package init() {}

  /// Every encoder of the model that a job asks for.
  ///
  /// - Throws: errors from opening.
  package func models(of key: BuildPlan.Key) throws -> [Model] {
    let source = Source(key)
    return try models(of: source) ?? open(source)
  }

  /// The reference set that a job asks for, with what the project says of it.
  ///
  /// - Throws: errors from reading.
  package func referenceSet(of key: BuildPlan.Key) throws -> ReferenceSet {
    let asked = References(key)
    var set = try set(of: asked) ?? read(asked)
    set.isFewMeant = key.isFewMeant
    return set
  }

  /// Whether the model that a job asks for is a small one that was opened.
  package func holdsSmall(_ key: BuildPlan.Key) -> Bool {
    let source = Source(key)
    return state.withLock { $0.small[source] != nil }
  }

  /// Whether the small model and the references that a job asks for are open, and byte by byte what they
  /// were then; false also where that cannot be told without opening them.
  package func isSurelyAsOpened(_ key: BuildPlan.Key) -> Bool {
    let source = Source(key), asked = References(key)
    guard let small = state.withLock({ $0.small[source] }), let set = set(of: asked) else {
      return false
    }
    // A set without images is named by its file's bytes.
    guard set.isWhole, let file = try? MappedFile(path: asked.path),
      ContentDigest(of: file) == set.digest, small.names == (try? Folder.names(in: source.path))
    else { return false }
    return small.models.allSatisfy(\.isSurelyAsOpened)
  }

  /// The model, if it was opened and kept.
  func models(of source: Source) -> [Model]? {
    state.withLock { state in
      state.small[source]?.models ?? (state.last?.source == source ? state.last?.models : nil)
    }
  }

  /// The set, if it was read and kept.
  func set(of asked: References) -> ReferenceSet? { state.withLock { $0.sets[asked] } }

  /// Opens a model. A large one that was kept is let go of first.
  func open(_ source: Source) throws -> [Model] {
    state.withLock { $0.last = nil }
    let names = try? Folder.names(in: source.path)
    let models = try ModelLoader.encoders(
      of: source.path, prompt: source.prompt, requested: source.encoder)
    // Encoders of one model share their files.
    let byteCount = models.allSatisfy(\.isSmall) ? models.first?.sourceByteCount : nil
    state.withLock { state in
      if let byteCount, state.byteCount + byteCount <= Self.byteLimit {
        // Another thread may have opened it, too.
        let small = Small(models: models, names: names)
        if state.small.updateValue(small, forKey: source) == nil { state.byteCount += byteCount }
      } else {
        state.last = (source, models)
      }
    }
    return models
  }

  /// Reads a reference set; a small one without images is kept.
  func read(_ asked: References) throws -> ReferenceSet {
    let set = try ReferenceSet(path: asked.path, columns: asked.columns)
    guard set.isWhole, set.byteCount <= Self.setByteLimit else { return set }
    state.withLock { state in
      guard state.byteCount + set.byteCount <= Self.byteLimit else { return }
      if state.sets.updateValue(set, forKey: asked) == nil { state.byteCount += set.byteCount }
    }
    return set
  }

  /// Lets go of all models: whoever asks for one next gets what its path leads to then.
  package func forget() { state.withLock { $0 = State() } }

  /// Lets go of what a job asks for.
  package func forget(_ key: BuildPlan.Key) {
    let (source, asked) = (Source(key), References(key))
    state.withLock { state in
      if state.last?.source == source { state.last = nil }
      if let small = state.small.removeValue(forKey: source) {
        state.byteCount -= small.models.first?.sourceByteCount ?? 0
      }
      if let set = state.sets.removeValue(forKey: asked) { state.byteCount -= set.byteCount }
    }
  }
}

extension ModelMemory.Source {
  init(_ key: BuildPlan.Key) {
    self.init(path: key.source, prompt: key.prompt, encoder: key.encoder)
  }
}

extension ModelMemory.References {
  init(_ key: BuildPlan.Key) { self.init(path: key.references, columns: key.columns) }
}

extension ModelMemory {
  /// Opens models and reads reference sets of families beforehand, on several threads; what cannot be, or
  /// is outside of the project, is left to whoever asks for it.
  ///
  /// - Parameter bounds: the folder that paths may not leave.
  func prepare(_ jobs: [BuildPlan.Job], within bounds: ProjectBounds?, threads: Int) {
    guard threads > 1 else { return }
    var start = 0
    while start < jobs.count {
      let some = jobs[start..<min(start + Self.preparedTogether * threads, jobs.count)]
      start = some.endIndex
      let members = some.filter { $0.family != nil }
      guard !members.isEmpty else { continue }
      let areSmall = Workers.map(members.count, jobs: threads) { index in
        self.prepare(members[index].key, within: bounds)
      }
      // Large ones would be opened twice.
      if areSmall.contains(false) { return }
    }
  }

  /// Models that are opened before it is looked whether they are small.
  private static let preparedTogether = 8

  /// Opens what a job asks for.
  ///
  /// - Returns: whether its model was kept.
  private func prepare(_ key: BuildPlan.Key, within bounds: ProjectBounds?) -> Bool {
    func isInside(_ path: String) -> Bool {
      bounds.map { $0.hold(path) && $0.stray(in: path) == nil } ?? true
    }
    guard isInside(key.source), Folder.kind(of: key.source) != .missing,
      (try? open(Source(key))) != nil
    else { return false }
    if isInside(key.references) { _ = try? read(References(key)) }
    return holdsSmall(key)
  }
}
