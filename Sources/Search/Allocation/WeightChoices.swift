import Calibration
import Formats
import Graph
import WeightCompression
import Weights

/// The ways in which each weight of a model can be stored, with exact bytes and predicted losses.
struct WeightChoices {
  /// Weights that are stored alike: one, or several that hold the same numbers.
  struct Group {
    let names: [TensorName]
    /// For each choice its scheme; nil keeps the weights.
    let schemes: [Scheme?]
    let choices: [Frontier.Choice]
  }

  let groups: [Group]
  let frontier: Frontier
  /// Bytes of weights that stay as they are in any case.
  let fixedBytes: Int

  /// Weights of fewer numbers stay as they are: a palette saves nothing, and they are often the last
  /// of a network, where an error counts most.
  static let fewestNumbers = 2048

  /// The part of a plain loss that fitting to inputs leaves; measured on all-MiniLM-L6-v2, where it is
  /// much the same for 4 and 8 bits.
  private static let fittedShare = 0.22
  /// The same of a table of tokens.
  private static let fittedTableShare = 0.68

  /// Each in the forms that are tried one after another until one fits the shape.
  private static let allFamilies: [[Scheme]] =
    [2, 3, 4, 6].map { palettes($0, [16, 8, 6, 4, 3, 2]) }
    + [2, 3, 4, 6].map { palettes($0, [2]) } + [palettes(4, [1])]
    // Larger tables of entries are paid for by more weights.
    + [palettes(6, [64, 48]), palettes(8, [64, 48, 32, 16]), palettes(8, [128, 96])] + [
      [.int8(.perChannel)],
      [32, 16].map { .linear(LinearScheme(.int8, granularity: .perBlock(size: $0))) },
    ]

  /// What is left where a format takes no groups, as packages for older systems.
  private static let plainFamilies: [[Scheme]] =
    [1, 2, 4, 6, 8].map { [.palette(bits: $0, .perTensor)] } + [[.int8(.perChannel)]]

  /// The ways that a format takes, for the systems that were asked for.
  private static func families(of model: Model, _ format: any Format) throws -> [[Scheme]] {
    let groups = try planned(allFamilies[0], of: model, format)
    return (try? format.check(model, groups)) == nil ? plainFamilies : allFamilies
  }

  private static func palettes(_ bits: Int, _ sizes: [Int]) -> [Scheme] {
    sizes.map { .palette(bits: bits, .perGroup(size: $0)) }
  }

  /// Compresses every weight in every way, and predicts what each does.
  ///
  /// - Parameters:
  ///   - memory: of the calibration that will fit weights to the inputs of `losses`; nil without one.
  ///   - progress: told the work that is done, of how much; from any thread.
  init(
    of model: Model, as format: any Format, losses: OutputLosses,
    calibrating memory: CalibrationMemory?, jobs: Int,
    progress: @escaping @Sendable (SearchStep) -> Void
  ) throws {
    let kept = try WeightChoices.planned(nil, of: model, format)
    let keptBytes = try format.storedBytes(of: kept, model)
    let leaders = try WeightChoices.leaders(of: model, format)
    let splits = try SplitTables(
      of: model, as: format, losses, tied: Set(leaders.keys).union(leaders.values))
    var ways: [TensorName: [(scheme: Scheme?, bytes: Int)]] = [:]
    for (tensor, bytes) in zip(kept, keptBytes) { ways[tensor.name] = [(nil, bytes)] }
    var tensors: [TensorName: [CompressedTensor]] = [:]
    let families = try WeightChoices.families(of: model, format)
    for (place, family) in families.enumerated() {
      defer { progress(.compressing(place + 1, of: families.count)) }
      let planned = try WeightChoices.planned(family, splits, of: model, format)
      // A format may not hold a scheme, or not for the systems that were asked for.
      guard (try? format.check(model, planned)) != nil else { continue }
      let bytes = try format.storedBytes(of: planned, model)
      let made = planned.indices.filter {
        planned[$0].requested != nil && losses.covers(planned[$0].name)
      }
      for place in made {
        ways[planned[place].name]?.append((planned[place].requested, bytes[place]))
      }
      for tensor in try WeightCompressor.compress(
        made.map { planned[$0] }, from: model.weights, effort: .little, jobs: jobs)
      {
        tensors[tensor.name, default: []].append(tensor)
      }
    }
    let parts = try losses.partLosses(
      of: tensors, splitting: splits.rows, keepingMomentsIn: memory
    ) { progress(.predicting($0, of: $1)) }
    var predicted: [TensorName: [Double]] = [:]
    for (name, parts) in parts {
      var found = parts.map { $0.reduce(0, +) }
      if splits.rows[name] != nil, let own = ways[name], let whole = own.first {
        let all = try splits.ways(
          of: name, zip(own.dropFirst().map(\.scheme), parts).map { ($0, $1) })
        ways[name] = [whole] + all.map { ($0.scheme, $0.bytes) }
        found = all.map(\.loss)
      }
      let share = memory == nil ? 1 : WeightChoices.fittedShare(of: name, losses)
      predicted[name] = found.map { share * $0 }
    }
    groups = WeightChoices.groups(kept, leaders, ways, predicted)
    frontier = Frontier(groups.map(\.choices))
    let named = Set(groups.flatMap(\.names))
    fixedBytes = zip(kept, keptBytes).reduce(0) { $0 + (named.contains($1.0.name) ? 0 : $1.1) }
  }

  init(_ groups: [Group], fixedBytes: Int) {
    (self.groups, self.fixedBytes) = (groups, fixedBytes)
    frontier = Frontier(groups.map(\.choices))
  }

  /// The same after weights were fitted as allocated: where more of the error was left than of other
  /// weights, more is expected to be left of any. The loss of them all together stays.
  ///
  /// - Parameter left: the part of its error that was left of each weight that was fitted.
  func refined(by left: [TensorName: Double], at allocation: Frontier.Allocation) -> WeightChoices {
    let parts = groups.map { group in left[group.names[0]] }
    let losses = zip(groups, allocation.places).map { $0.choices[$1].loss }
    let known = zip(parts, losses).compactMap { part, loss in part.map { (part: $0, loss: loss) } }
    let all = known.reduce(0) { $0 + $1.loss },
      mean = known.reduce(0) { $0 + $1.part * $1.loss } / all
    guard mean > 0, mean.isFinite else { return self }
    return WeightChoices(
      zip(groups, parts).map { group, part in
        Group(
          names: group.names, schemes: group.schemes,
          choices: group.choices.map {
            Frontier.Choice(bytes: $0.bytes, loss: $0.loss * (part ?? mean) / mean)
          })
      }, fixedBytes: fixedBytes)
  }

  /// The part of a plain loss of a weight that fitting it leaves.
  private static func fittedShare(of name: TensorName, _ losses: OutputLosses) -> Double {
    losses.isFitted(name)
      ? fittedShare : losses.isFittedTable(name) ? fittedTableShare : 1
  }

  /// The same without tables in two parts; nil if there are none.
  var withoutSplits: WeightChoices? {
    func isSplit(_ scheme: Scheme?) -> Bool { scheme?.isSplit == true }
    guard groups.contains(where: { $0.schemes.contains(where: isSplit) }) else { return nil }
    return WeightChoices(
      groups.map { group in
        let kept = zip(group.schemes, group.choices).filter { !isSplit($0.0) }
        return Group(names: group.names, schemes: kept.map(\.0), choices: kept.map(\.1))
      }, fixedBytes: fixedBytes)
  }

  /// Every weight in INT8 per channel, as far as there is that choice.
  var plain: Frontier.Allocation {
    Frontier.Allocation(
      places: groups.map { $0.schemes.firstIndex(of: .int8(.perChannel)) ?? 0 },
      of: groups.map(\.choices))
  }

  /// The recipe of an allocation, one rule for each scheme that occurs.
  func recipe(_ allocation: Frontier.Allocation, named name: String) -> Recipe {
    let stored = zip(groups, allocation.places).flatMap { group, place in
      group.schemes[place].map { scheme in group.names.map { ($0, scheme) } } ?? []
    }
    return Recipe(name: name, storing: stored)
  }

  /// Every weight planned by the first scheme that fits; kept where none does.
  private static func planned(
    _ family: [Scheme]?, _ splits: SplitTables? = nil, of model: Model, _ format: any Format
  ) throws -> [PlannedTensor] {
    let match = RecipeRule.Match(
      roles: [.matrix, .tokenTable], elements: CountRange(minimum: fewestNumbers))
    let rules = try family.map { schemes in
      try (splits?.rules(schemes) ?? []) + [
        RecipeRule(
          match, schemes[0], fallbacks: schemes.dropFirst().map { $0 } + [nil], isOptional: true)
      ]
    }
    let recipe = Recipe(rules: rules ?? [], keepsOthers: true)
    return try WeightCompressor.plan(
      weights: try model.usedWeights(), from: model.weights,
      options: try CompressionOptions(recipe: recipe, floats: format.floats))
  }

  /// For each weight that holds the numbers of an earlier one the name of that.
  private static func leaders(
    of model: Model, _ format: any Format
  ) throws -> [TensorName: TensorName] {
    let planned = try planned([.int8(.perChannel)], of: model, format)
    return Dictionary(
      planned.compactMap { tensor in tensor.sharedWith.map { (tensor.name, $0) } }
    ) { first, _ in first }
  }

  private static func groups(
    _ kept: [PlannedTensor], _ leaders: [TensorName: TensorName],
    _ ways: [TensorName: [(scheme: Scheme?, bytes: Int)]], _ losses: [TensorName: [Double]]
  ) -> [Group] {
    let members = Dictionary(grouping: kept.map(\.name)) { leaders[$0] ?? $0 }
    return kept.compactMap { tensor in
      guard let names = members[tensor.name], let own = ways[tensor.name], own.count > 1 else {
        return nil
      }
      let choices = own.indices.map { place in
        Frontier.Choice(
          bytes: own[place].bytes,
          loss: names.reduce(0) { sum, name in
            // The first way keeps the weight.
            sum + (place == 0 ? 0 : losses[name]?[place - 1] ?? .infinity)
          })
      }
      return Group(names: names, schemes: own.map(\.scheme), choices: choices)
    }
  }
}

/// A step of a search.
package enum SearchStep: Sendable {
  /// All weights in one of several ways.
  case compressing(Int, of: Int)
  case predicting(Int, of: Int)
  /// Making a candidate, counted from 1, of at most so many, and judging it for the search.
  case trying(Int, of: Int)
  /// Judging what was found.
  case proving
}
