package import Calibration
import Files
package import Formats
package import Gate
package import Graph
package import Inputs
import PackageNames
import Packaging
package import SelfTesting
import StrictJSON
package import WeightCompression

extension BuildPlan {
  /// Everything that determines one proven model; models with equal keys are one job.
  package struct Key: Hashable, Sendable {
    package let source: String
    /// The one encoder that ships of a model with several; all of them when nil.
    package var encoder: EncoderKind?
    /// Text that goes before every text; the model's own default when nil.
    package var prompt: PromptChoice?
    package let compression: ModelCompressionOptions
    /// The inputs that weights are fitted to; nil if they are not.
    package var calibration: String?
    /// Whether inputs of it that the references hold too are left out; they are a fault otherwise.
    package var dropsOverlap = false
    /// References for the verdict on what a search finds; nil if they are a share of the others.
    package var verdict: String?
    /// The texts whose tokens stay; nil if all stay.
    package var keptTokens: String?
    /// Outputs made elsewhere; nil without any.
    package var sourceCheck: SourceCheckPaths?
    /// Where the inputs of the self-test come from.
    package var selfTest = SelfTest.Source.references
    package let references: String
    /// Whether a few of them are meant to be enough.
    package var isFewMeant = false
    /// Columns of them that are no features.
    package var columns = NamedColumns.none
    package let limits: LimitOptions
    package let threshold: Double?
    package let form: OutputForm
  }
}

extension BuildPlan.Key {
  /// The key of an entry applied to a model.
  ///
  /// - Parameter path: the path of a pattern for that model.
  package init(_ entry: ProjectEntry, of project: Project, path: (PathPattern) -> String) {
    self.init(
      source: Folder.join(project.folder, path(entry.source.value)),
      encoder: entry.encoder?.value, prompt: entry.prompt?.value,
      compression: entry.compression.value,
      calibration: entry.calibration.map { Folder.join(project.folder, path($0.value)) },
      dropsOverlap: entry.dropsOverlap,
      verdict: entry.verdict.map { Folder.join(project.folder, path($0.value)) },
      keptTokens: entry.keptTokens.map { Folder.join(project.folder, path($0.value)) },
      sourceCheck: entry.sourceCheck.map {
        SourceCheckPaths($0) { Folder.join(project.folder, path($0)) }
      },
      selfTest: entry.selfTest,
      references: Folder.join(project.folder, path(entry.gate.references.value)),
      isFewMeant: entry.gate.isFewMeant, columns: entry.gate.columns, limits: entry.gate.limits,
      threshold: entry.gate.threshold?.value,
      form: OutputForm(entry.format, project.release))
  }

  /// Every option that shapes the job's result, the receipt included, by names of letters: all of
  /// the key but the paths, which their contents identify.
  ///
  /// Where each encoder has options of its own, they begin with the encoder. Keys that differ in
  /// anything but the paths have other options.
  package var options: [String: String] {
    var options = form.options
    switch compression {
    case .one(let own): options.merge(own.words) { _, last in last }
    case .smallest(let search): options.merge(search.words) { _, last in last }
    case .each(let image, let text):
      for (encoder, own) in [(EncoderKind.image, image), (.text, text)] {
        for (name, value) in own.words {
          options[encoder.rawValue + name.prefix(1).uppercased() + name.dropFirst()] = value
        }
      }
    }
    options["encoder"] = encoder?.rawValue
    switch prompt {
    case .named(let name): options["prompt"] = name
    case .text(let text): options["promptText"] = text
    case nil: break
    }
    if dropsOverlap { options["dropOverlap"] = "true" }
    if isFewMeant { options["fewReferences"] = "true" }
    options["label"] = columns.label
    if !columns.ignored.isEmpty { options["ignore"] = columns.ignored.joined(separator: "\n") }
    if selfTest != .references { options["selfTest"] = selfTest.rawValue }
    options["profile"] = limits.profile
    for (key, limit) in limits.overrides { options[key] = Figures.plain(limit) }
    options["threshold"] = threshold.map(Figures.plain)
    return options
  }

  /// Options of compression and format of one encoder, or of the whole model for nil; a
  /// manifest's `compression.options`.
  func modelOptions(of encoder: EncoderKind? = nil) -> [String: String] {
    modelOptions(of: encoder, as: form.suiting(encoder))
  }

  /// The same for a form that says more than was asked for.
  ///
  /// - Parameter found: what a search found; nil without one, or where that is not known.
  package func modelOptions(
    of encoder: EncoderKind?, as form: OutputForm, found: CompressionOptions? = nil
  ) -> [String: String] {
    // They share no name but that of the floats.
    [found ?? compression.options(of: encoder)].compactMap { $0?.words }
      .reduce(compression.search?.words ?? [:]) { $0.merging($1) { _, last in last } }
      .merging(form.options) { _, last in last }
  }

  /// How calibration inputs that the references hold too are treated.
  package var overlap: CalibrationSet.Overlap { dropsOverlap ? .dropped : .refused }

  /// The references of a search; nil where there is none.
  ///
  /// - Parameters:
  ///   - given: the reference set of the key.
  ///   - models: that take the inputs, as trained.
  /// - Throws: as `ReferenceShares`, and errors from reading a set of the verdict's own.
  package func shares(
    of given: ReferenceSet, seenBy models: [Model], jobs: Int
  ) throws -> ReferenceShares? {
    guard compression.search != nil else { return nil }
    guard let verdict else {
      return try ReferenceShares(cutting: given, seenBy: models, jobs: jobs)
    }
    var own = try ReferenceSet(path: verdict, columns: columns)
    own.isFewMeant = isFewMeant
    return try ReferenceShares(search: given, verdict: own, seenBy: models, jobs: jobs)
  }
}

/// The format of a job's result, with everything that shapes its bytes.
package struct OutputForm: Hashable, Sendable {
  package let format: ModelFormat
  /// The choices that the format knows of.
  package private(set) var choices: FormatChoices

  package init(_ value: any Format) {
    format = ModelFormat(type(of: value))
    choices = value.choices
  }

  /// The form that an entry asks for in a release.
  init(_ options: FormatOptions, _ release: ReleaseOptions) {
    let description = CoreMLDescription(
      summary: options.summary, author: release.author, license: release.license,
      version: release.version.description)
    self.init(
      options.format.with(FormatChoices(coreML: options.coreML, description: description)))
  }

  /// The format with all of it.
  package var value: any Format { format.with(choices) }

  /// The form of one encoder: only a text has a length.
  package func suiting(_ encoder: EncoderKind?) -> OutputForm {
    guard encoder == .image else { return self }
    var form = self
    form.choices.coreML = CoreMLOptions(
      target: choices.coreML.target, outputType: choices.coreML.outputType,
      floats: choices.coreML.floats, isUpdatable: choices.coreML.isUpdatable)
    return form
  }

  /// A model's description of itself, key by key; empty for formats that hold none.
  package var words: [String: String] {
    choices.description.notes.merging(choices.description.words) { _, last in last }
  }

  /// Each choice by the name it has in a project file; what was left open is not there.
  var options: [String: String] {
    value.choiceWords.merging(["format": format.name]) { _, last in last }
  }

  /// Lengths asked for of a text's tokens; empty without any.
  var sequenceLengths: [Int] { choices.coreML.sequenceLengths }
}

/// The files of one source check: outputs made elsewhere, and the inputs they are of.
package struct SourceCheckPaths: Hashable, Sendable {
  package let vectors: String
  package let inputs: String

  /// - Parameter path: the path of a pattern for one model.
  package init(_ options: SourceCheckOptions, path: (PathPattern) -> String) {
    vectors = path(options.vectors.value)
    inputs = path(options.inputs.value)
  }

  /// Reads both files.
  ///
  /// - Parameter columns: of the references, those that are no features; nor are they of the inputs.
  package func open(besides columns: NamedColumns) throws -> SourceCheck {
    try SourceCheck(vectors: vectors, inputs: inputs, columns: columns)
  }
}
