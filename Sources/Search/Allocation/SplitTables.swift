import Calibration
import Formats
import Graph
import WeightCompression
import Weights

/// The tables of a model that may be stored in two parts, and the ways to do that.
struct SplitTables {
  /// Rows of the first part, by table.
  private(set) var rows: [TensorName: Int] = [:]
  private let model: Model
  private let format: any Format

  /// A way to store a weight, and its predicted loss.
  typealias Way = (scheme: Scheme?, bytes: Int, loss: Double)

  /// Finds the tables where a split gains something, and that a format may hold in two parts.
  ///
  /// - Parameter tied: names of weights that hold the numbers of others.
  init(
    of model: Model, as format: any Format, _ losses: OutputLosses, tied: Set<TensorName>
  ) throws {
    (self.model, self.format) = (model, format)
    for weight in try model.usedWeights() where weight.role == .tokenTable {
      guard !tied.contains(weight.name), weight.shape.count == 2,
        weight.elementCount >= WeightChoices.fewestNumbers,
        let counts = losses.lookups(of: weight.name), let place = SplitPlace.rows(counts)
      else { continue }
      let both = SplitScheme(rows: place, first: .int8(.perChannel), rest: .int8(.perChannel))
      guard let planned = try? plan(.split(both), for: weight),
        (try? format.check(model, [planned])) != nil
      else { continue }
      rows[weight.name] = place
    }
  }

  /// The same scheme, in the form that fits, for both parts of each table.
  ///
  /// - Parameter family: the forms of a scheme, tried one after another.
  func rules(_ family: [Scheme]) throws -> [RecipeRule] {
    try model.usedWeights().compactMap { weight in
      guard let place = rows[weight.name] else { return nil }
      let parts = SplitScheme(rows: place, first: family[0], rest: family[0]).parts(of: weight)
      guard let first = family.first(where: { $0.own.fault(of: parts.first) == nil }),
        let rest = family.first(where: { $0.own.fault(of: parts.rest) == nil })
      else { return nil }
      let scheme = Scheme.split(SplitScheme(rows: place, first: first, rest: rest))
      return RecipeRule(
        RecipeRule.Match(names: [NameGlob(exactly: weight.name.text)]), scheme, fallbacks: [nil],
        isOptional: true)
    }
  }

  /// Every way to store a table, its parts alike or not, apart from those that are larger and lose more.
  ///
  /// - Parameters:
  ///   - schemes: of both parts, and the predicted losses of each.
  func ways(of name: TensorName, _ schemes: [(scheme: Scheme?, losses: [Double])]) throws -> [Way] {
    guard let weight = try model.usedWeights().first(where: { $0.name == name }) else { return [] }
    var made: [(planned: PlannedTensor, loss: Double)] = []
    for (first, losses) in schemes {
      if case .split(let both)? = first, let planned = try? plan(both.first, for: weight) {
        made.append((planned, losses[0] + losses[1]))
      }
      for (rest, others) in schemes {
        guard case .split(let one)? = first, case .split(let other)? = rest,
          one.first != other.rest,
          let planned = try? plan(
            .split(SplitScheme(rows: one.rows, first: one.first, rest: other.rest)), for: weight)
        else { continue }
        made.append((planned, losses[0] + others[1]))
      }
    }
    let bytes = try format.storedBytes(of: made.map(\.planned), model)
    let all = zip(made, bytes).map { Way($0.planned.requested, $1, $0.loss) }
      .sorted { ($0.bytes, $0.loss) < ($1.bytes, $1.loss) }
    var least = Double.infinity, leastWhole = Double.infinity
    return all.filter { way in
      defer { least = min(least, way.loss) }
      if way.scheme?.isSplit == true { return way.loss < least }
      // Splits may have to go.
      defer { leastWhole = min(leastWhole, way.loss) }
      return way.loss < leastWhole
    }
  }

  /// Plans a scheme for one weight.
  private func plan(_ scheme: Scheme, for weight: WeightReference) throws -> PlannedTensor? {
    try WeightCompressor.plan(
      weights: [weight], from: model.weights,
      options: try CompressionOptions(scheme: scheme, floats: format.floats)
    ).first
  }
}
