import Files
import Formats
import Graph
import Inputs
import StrictJSON
import Weights

/// Opens models and reference sets for looking at them; what cannot be opened is noted, once.
struct ModelOpener {
  /// Who asks for a file: words for messages, and where it was asked for.
  struct Asker {
    let words: String
    let place: Place
    /// Where a prompt was chosen; nil if none was.
    var promptPlace: Place?
    /// Shows a line that a file of lines should hold; nil if no model says which.
    var example: String?
  }

  let log: ContractSection.Log
  private let memory: ModelMemory
  private var faultySources: Set<ModelMemory.Source> = []
  private var faultyReferences: Set<ModelMemory.References> = []
  /// Folders of models that were noted as missing; reference sets in them need no words of their own.
  private var missingFolders: Set<String> = []
  /// Looking for what was meant reads a whole folder.
  private var hintsLeft = 100
  // Jobs mostly come with the same set as the one before; keeping all could be too much for memory.
  private var references: (asked: ModelMemory.References, set: ReferenceSet)?

  init(log: ContractSection.Log, _ memory: ModelMemory) {
    self.log = log
    self.memory = memory
  }

  /// Every encoder of the model at a path; nil when there is a fault.
  ///
  /// - Parameters:
  ///   - prompt: goes before every text, instead of the model's default.
  ///   - encoder: the only one that is wanted.
  mutating func models(
    at path: String, prompt: PromptChoice? = nil, encoder: EncoderKind? = nil, for asker: Asker
  ) -> [Model]? {
    let requested = ModelMemory.Source(path: path, prompt: prompt, encoder: encoder)
    if let models = memory.models(of: requested) { return models }
    guard faultySources.insert(requested).inserted else { return nil }
    guard isThere(path, .missingSource, "the source", asker) else { return nil }
    do {
      let models = try memory.open(requested)
      faultySources.remove(requested)
      return models
    } catch let error as ModelError where error.isAboutPrompt {
      log.faults.add(.badValue, asker.promptPlace ?? asker.place, "\(asker.words): \(error)")
      return nil
    } catch {
      log.faults.add(
        .unreadableSource, asker.place, "\(asker.words): \(error)", hint: hint(for: error))
      return nil
    }
  }

  /// The reference set at a path; nil when there is a fault.
  ///
  /// - Parameter columns: of a table, those that are no features.
  mutating func set(
    at path: String, columns: NamedColumns, for asker: Asker
  ) -> ReferenceSet? {
    let asked = ModelMemory.References(path: path, columns: columns)
    if let references, references.asked == asked { return references.set }
    if let set = memory.set(of: asked) { return set }
    guard faultyReferences.insert(asked).inserted else { return nil }
    guard isThere(path, .missingReferences, "the reference set", asker) else { return nil }
    do {
      let set = try memory.read(asked)
      references = (asked, set)
      faultyReferences.remove(asked)
      return set
    } catch let error as JSONError {
      let isEmpty = (try? MappedFile(path: path).byteCount) == 0
      log.faults.add(
        isEmpty ? .emptyReferenceSet : .unreadableReferences, error, hint: asker.example)
    } catch {
      log.faults.add(.unreadableReferences, asker.place, "\(asker.words): \(error)")
    }
    return nil
  }

  private mutating func isThere(
    _ path: String, _ rule: Rule, _ kind: String, _ asker: Asker
  ) -> Bool {
    guard log.holds(path, "\(asker.words): \(kind)", at: asker.place) else { return false }
    guard Folder.kind(of: path) == .missing else { return true }
    let missing = MissingPath(path)
    if rule == .missingSource {
      missingFolders.insert(missing.missing)
    } else if missing.missing != path, missingFolders.contains(missing.missing) {
      return false
    }
    hintsLeft -= 1
    log.faults.add(
      rule, asker.place, "\(asker.words): \(missing.words(kind))",
      hint: hintsLeft >= 0 ? missing.hint : nil)
    return false
  }

  private func hint(for error: any Error) -> String? {
    switch error as? WeightsError {
    case .noWeights: "a source is a folder, a weight file, or a file that Ingot wrote"
    case .malformed, .tensor, .json: "fetch or export the weights again"
    case .file, .notConvertible, .foreign, nil: nil
    }
  }
}

/// Checks whether a model has the encoders that its entry is about.
struct EncoderCheck {
  let job: BuildPlan.Job
  /// Nil if the faults were noted before.
  let log: ContractSection.Log?

  /// Those that ship; nil, with a fault, when the entry asks for one that is not there.
  func shipping(of models: [Model]) -> [Model]? {
    let found = models.compactMap(\.architecture.encoder)
    if let requested = job.key.encoder {
      let chosen = models.filter { $0.architecture.encoder == requested }
      guard chosen.isEmpty else { return chosen }
      return fault(
        job.encoderPlace, "'encoder' is \(requested.rawValue), the source \(words(found))",
        hint: "remove 'encoder', or name another source")
    }
    if job.key.compression.isForEach, found != EncoderKind.allCases {
      return fault(
        job.compressionPlace, "'compress' is for two encoders, the source \(words(found))",
        hint: "give one for the whole model, such as 'compress: {scheme: int8}'")
    }
    return models
  }

  private func words(_ found: [EncoderKind]) -> String {
    found.first.map { "has the \($0.rawValue) encoder alone" } ?? "is one encoder as a whole"
  }

  private func fault(_ place: Place?, _ message: String, hint: String) -> [Model]? {
    log?.faults.add(
      .unfitSource, place ?? job.sourcePlace, "model '\(job.label)': \(message)", hint: hint)
    return nil
  }
}
