import Formats
import Testing
import Trees

extension TabularCase {
  /// What `model.json` says: columns or a dictionary, transforms, and what predicts.
  struct Description: Decodable {
    struct Column: Decodable {
      let name: String
      let categories: [Int]?
    }

    struct Transform: Decodable {
      let imputer: [Double]?
      let shift: [Double]?
      let scale: [Double]?
      let norm: String?
    }

    let columns: [Column]?
    let dictionary: String?
    let keys: [String]?
    let transforms: [Transform]
    let predictor: Predictor

    var names: [String] { columns?.map(\.name) ?? [] }
    var isTreesAlone: Bool {
      transforms.isEmpty && dictionary == nil
        && columns?.allSatisfy { $0.categories == nil } == true
    }

    /// Numbers of the vector that the predictor reads.
    private var width: Int {
      keys?.count ?? (columns ?? []).reduce(0) { $0 + ($1.categories?.count ?? 1) }
    }

    func chain() throws -> TabularChain {
      let source: TabularChain.Source
      if let dictionary {
        source = .dictionary(dictionary, .texts(keys ?? []))
      } else {
        source = .columns(
          (columns ?? []).map { column in
            TabularChain.Column(
              column.name,
              column.categories.map { .oneHot(.integers($0), .isError) } ?? .number)
          })
      }
      return TabularChain(
        source, transforms.map(\.step),
        predictor: try predictor.step(path: "model.json", width: width))
    }
  }

  struct Predictor: Decodable {
    struct Tree: Decodable {
      let output: Int
      let feature: [Int]
      let threshold: [Double]
      let left: [Int]
      let right: [Int]
      let missingLeft: [Bool]
      let leaf: [[Double]]
    }

    enum Labels: Decodable {
      case texts([String])
      case integers([Int])

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let numbers = try? container.decode([Int].self) {
          self = .integers(numbers)
        } else {
          self = .texts(try container.decode([String].self))
        }
      }

      var labels: TreeLabels {
        switch self {
        case .texts(let texts): .texts(texts)
        case .integers(let numbers): .integers(numbers)
        }
      }
    }

    let kind: String
    let labels: Labels?
    let weights: [[Double]]?
    let offsets: [Double]?
    let strict: Bool?
    let base: [Double]?
    let divisor: Double?
    let transform: String?
    let leafWidth: Int?
    let trees: [Tree]?

    /// The trees as a library's reader gives them.
    func model(_ names: [String]) -> (() throws -> TreeModel)? {
      guard let trees else { return nil }
      return {
        var builder = try TreeEnsembleBuilder(
          path: "model.json", featureCount: names.count, base: base ?? [],
          leafWidth: leafWidth ?? 1,
          divisor: divisor ?? 1,
          precision: .init(roundsFeatures: true, addsFloats: strict == true),
          transform: try #require(TreeEnsemble.Transform(rawValue: transform ?? "")))
        for tree in trees { try builder.add(nodes(of: tree), output: tree.output) }
        return TreeModel(
          ensemble: try builder.finish(), features: names.map { TreeFeature($0) },
          task: labels.map { .classification(labels: $0.labels) } ?? .regression, library: "none")
      }
    }

    private func nodes(of tree: Tree) -> TreeNodes {
      TreeNodes(
        tree.feature.indices.map { node in
          guard tree.feature[node] >= 0 else { return .leaf(tree.leaf[node]) }
          var rule: TreeEnsemble.Rule = strict == true ? .isStrict : []
          if tree.missingLeft[node] { rule.insert(.missingGoesLeft) }
          return .branch(
            feature: tree.feature[node], threshold: tree.threshold[node], rule: rule,
            left: tree.left[node], right: tree.right[node])
        })
    }

    func step(path: String, width: Int) throws -> TabularStep {
      if let trees = model((0..<width).map { "f\($0)" }) {
        return try TabularProgram(try trees(), path: path).step
      }
      let weights = weights ?? [], offsets = offsets ?? []
      guard let labels = labels?.labels else {
        return .linearRegressor(LinearRegressor(weights: weights[0], offset: offsets[0]))
      }
      return .linearClassifier(
        LinearClassifier(
          weights: weights, offsets: offsets, encoding: .oneVersusRest, labels: labels))
    }
  }
}

extension TabularCase.Description.Transform {
  var step: TabularStep {
    if let imputer { return .imputer(.array(imputer, missing: .nan)) }
    if let shift, let scale { return .scaler(shift: shift, scale: scale) }
    return .normalizer(norm == "l1" ? .sum : norm == "l2" ? .length : .largest)
  }
}
