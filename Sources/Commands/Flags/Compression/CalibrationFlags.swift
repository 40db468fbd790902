import ArgumentParser
import Calibration
import Graph
import Inputs

/// The inputs that weights are fitted to.
struct CalibrationFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Inputs like those the app will see: weights are fitted to what layers make of them.",
      discussion: """
        As for 'embed --inputs': {"text": "…"} or {"image": "…"}, CSV, plain lines; some 400 are \
        enough. None of them may stand in the reference set. Takes about half a minute for a small \
        encoder.
        """,
      valueName: "file"))
  var calibration: String?

  @Flag(help: "Leave out calibration inputs that are to the model what references are; count them.")
  var dropOverlap = false

  /// The inputs to fit weights to; the references hold none of them.
  func calibrationSet(
    besides references: [ReferenceSet], for model: Model, jobs: Int, _ console: Console
  ) throws -> CalibrationSet? {
    let progress = ProgressLine(console)
    defer { progress.clear() }
    return try calibrationSets(
      besides: references, for: [model], jobs: jobs, on: progress, console
    )?.first
  }

  /// The same for each of a model's encoders, of a file that is read once.
  func calibrationSets(
    besides references: [ReferenceSet], for models: [Model], jobs: Int,
    on progress: ProgressLine, _ console: Console
  ) throws -> [CalibrationSet]? {
    guard let calibration, let first = models.first else { return nil }
    return try InputFiles.explainingInputs(for: first) {
      let whole = try CalibrationSet(argument: calibration)
      if let decision = whole.decision { console.note(decision) }
      return try models.map { model in
        let (rest, dropped) = try explained {
          try whole.besides(
            references, dropOverlap ? .dropped : .refused, for: model, runs: true, jobs: jobs
          ) { progress.show("comparing calibration with references", $0, of: $1) }
        }
        if !dropped.isEmpty {
          console.warn(CalibrationSet.droppedWords(dropped, of: calibration))
        }
        return rest
      }
    }
  }

  // An overlap has a way out.
  private func explained<Result>(_ work: () throws -> Result) throws -> Result {
    do {
      return try work()
    } catch let error as CalibrationError {
      guard case .sharedInputs = error else { throw error }
      throw Failure(
        message: error.description, hint: "leave them out with --drop-overlap, or use other inputs")
    }
  }

  func validate() throws {
    if dropOverlap, calibration == nil {
      throw ValidationError("--drop-overlap is for --calibration")
    }
  }
}
