import Calibration
import Explanation
import Formats
import Gate
import Graph
import Inputs
import Packaging
import Project
import Proving
import Search
import StrictJSON
import WeightCompression

/// Makes the encoders of one model as a project says, or as a search finds.
struct ModelMaking {
  /// One encoder that ships.
  struct Part {
    let model: Model
    let form: OutputForm
    /// The inputs that weights are fitted to; nil if they are not.
    let calibration: CalibrationSet?
  }

  /// What a package says of one part beside its receipt.
  typealias Description = (details: ModelDetails, device: DeviceFacts)

  /// How it ended.
  struct Outcome {
    let verdict: Verdict
    /// Nil if the gate refused it.
    var emitted: [EmittedModel]?
    /// What a search found, for each part; nil without one.
    var recipes: [Recipe]?
    /// The candidates of a search, in order; empty without one.
    var trials: [JudgedTrial] = []
    /// What packages say of each part; nil of a search.
    var described: [Description]?
    /// What would mend it; nil if it passed.
    var mend: RefusalMend?
    /// What is to be known of the verdict; nil where it says everything.
    var words: String?
  }

  let parts: [Part]
  /// All encoders of the model.
  let trained: [Model]
  let key: BuildPlan.Key
  let limits: Limits
  let jobs: Int
  let paths: ScratchPaths
  /// Told each step; from any thread.
  let stepping: @Sendable (ModelStep) -> Void
  /// Describes a part that passed, as it reads back.
  let describe: (Model, Part) throws -> Description
  /// The gate on references.
  let gate: (ReferenceSet) -> Gate

  private var prover: Prover {
    let stepping = stepping
    // What packages and the store copy from there is made durable by them.
    return Prover(jobs: jobs, isDurable: false) { stepping(.making($0)) }
  }

  /// What would mend a candidate that the gate refused.
  ///
  /// - Parameter isPatient: as of `RefusalMend`.
  private func mend(
    _ candidate: [Model], _ verdict: Verdict, by gate: Gate, isPatient: Bool = false
  ) -> RefusalMend {
    RefusalMend(
      verdict, by: gate, .models(candidate), against: .models(trained), jobs: jobs,
      isPatient: isPatient
    ) { stepping(.mending($0)) }
  }

  /// Compresses the parts as the project says.
  func compressing(provenOn references: ReferenceSet) throws -> Outcome {
    let own = parts
    let parts = own.compactMap { part in
      key.compression.options(of: part.model.architecture.encoder).map { options in
        Prover.Part(
          part.model, options: options, calibration: part.calibration, as: part.form.value,
          at: paths.place(of: part.model.architecture.encoder))
      }
    }
    let gate = gate(references)
    var mend: RefusalMend?
    var described: [Description] = []
    let outcome = try prover.run(parts, against: trained, by: gate) { candidates, judging in
      let verdict = try judging()
      mend = self.mend(candidates, verdict, by: gate)
      // These are open, and of the very bytes that get their names.
      if verdict.isPassed { described = try zip(candidates, own).map(describe) }
      return verdict
    }
    switch outcome {
    case .proven(let emitted, let verdict):
      return Outcome(verdict: verdict, emitted: emitted, described: described)
    case .refused(let verdict, _): return Outcome(verdict: verdict, mend: mend)
    }
  }

  /// Compresses them as a search finds.
  func searching(_ shares: ReferenceShares) throws -> Outcome {
    var request = Search.Request(
      parts.map { part in
        Search.Part(
          part.model, as: part.form.value, at: paths.path(of: part.model.architecture.encoder),
          calibration: part.calibration,
          shares: shares)
      }, of: trained, on: shares, limits: limits, budget: key.compression.search?.budget,
      gate: gate)
    var mend: RefusalMend?
    request.refusing = { mend = self.mend($0, $1, by: $2, isPatient: true) }
    var search = try Search(request, jobs: jobs, prover: prover) { _ in }
    switch try search.run() {
    case .found(let emitted, let verdict, let recipes):
      return Outcome(
        verdict: verdict, emitted: emitted, recipes: recipes,
        trials: search.trials.map(JudgedTrial.init))
    case .refused(_, let verdict):
      return Outcome(
        verdict: verdict, trials: search.trials.map(JudgedTrial.init), mend: mend,
        words:
          "\(Figures.count(search.trials.count, "candidate")) judged, none proven; the reasons "
          + "are against the one that came nearest")
    }
  }
}
