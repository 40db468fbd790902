package import Calibration
import Formats
package import Graph
package import Inputs
import Packaging
import StrictJSON
import WeightCompression

extension BuildPlan.Key {
  /// Every option that shapes the job's result, the receipt included, by names of letters: all of
  /// the key but the two paths, which their contents identify.
  ///
  /// Where each encoder has options of its own, they begin with the encoder. Keys that differ in
  /// anything but the paths have other options.
  package var options: [String: String] {
    var options = form.options
    switch compression {
    case .one(let own): options.merge(own.words) { _, last in last }
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
  package func modelOptions(of encoder: EncoderKind?, as form: OutputForm) -> [String: String] {
    // The two share no name.
    compression.options(of: encoder).words.merging(form.options) { _, last in last }
  }
}

extension BuildPlan.Key {
  /// How calibration inputs that the references hold too are treated.
  package var overlap: CalibrationSet.Overlap { dropsOverlap ? .dropped : .refused }

  /// Reads the reference set, with what the project says of it.
  package func referenceSet() throws -> ReferenceSet {
    var set = try ReferenceSet(path: references)
    set.isFewMeant = isFewMeant
    return set
  }
}
