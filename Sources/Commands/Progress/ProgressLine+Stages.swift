import IngotClient
import Project
import Proving
import Release
import Search
import Store

// The steps of each stage, in the words of the line.
extension ProgressLine {
  /// Shows a step of making or judging a model.
  func show(_ step: Prover.Step) { show(ProgressStep(step)) }

  /// Shows a step of the models of a build.
  func show(_ step: ModelStep) {
    switch step {
    case .making(let step): show(step)
    case .comparing(let done, let total):
      show("comparing calibration with references", done, of: total)
    case .mending(let tries): show(tries: tries)
    }
  }

  /// Shows how many changes were tried to mend a candidate.
  func show(tries: Int) { show(ProgressStep(name: "looking for a mend", done: tries, total: nil)) }

  /// Shows a step of a search.
  func show(_ step: SearchStep) {
    switch step {
    case .trying(let number, let most): begin(.candidate(number, atMost: most))
    case .proving: begin(nil)
    case .compressing(let done, let total):
      show("compressing in every way", done, of: total)
    case .predicting(let done, let total): show("predicting losses", done, of: total)
    }
  }

  /// Shows a step of looking at a project.
  func show(_ step: ProjectValidator.Step) {
    switch step {
    case .readingCustomers: show("reading customers")
    case .lookingAtModels(let done, let total): show("looking at models", done, of: total)
    case .hashingInputs(let done, let total): show("hashing inputs", done, of: total)
    }
  }

  /// Shows a step of a comparison.
  func show(_ step: ComparisonStep) {
    switch step {
    case .comparing(let done, let total): show("comparing", bytes: done, of: total)
    case .unpacking(let done, let total): show("unpacking", bytes: done, of: total)
    case .comparingTensors(let done, let total): show("comparing tensors", done, of: total)
    }
  }

  /// Shows a step of an update of a device.
  func show(_ step: UpdateStep) {
    switch step {
    case .asking: show("asking the repository")
    case .fetching(let done, let total): show("fetching", bytes: done, of: total)
    case .checking: show("checking models")
    }
  }

  /// Shows a step of looking after a store.
  func show(_ step: StoreStep) {
    switch step {
    case .readingResults(let done, let total): show("reading results", done, of: total)
    case .hashing(let done, let total): show("hashing", bytes: done, of: total)
    case .removing(let done, let total): show("removing files", done, of: total)
    }
  }
}
