/// What the returned columns are.
extension TableForm {
  func finish(_ elements: [TableElement]) throws(TableFault) -> TabularModel {
    var units: [TableUnits.Unit] = []
    var isPower = false
    var last: TableUnits?
    for element in elements {
      let number: Int
      let place: Int
      switch element {
      case .unit(let layer, let own): (number, place) = (layer, own)
      case .power(let layer, let own): (number, place, isPower) = (layer, own, true)
      default: throw fault("is returned, and gives no output of a linear model or of trees")
      }
      let layer = layers[number]
      let first = last ?? layer
      guard first.source == layer.source, first.activation == layer.activation,
        first.inputs == layer.inputs, first.norm == layer.norm
      else { throw fault("is returned, and joins outputs of several models") }
      units.append(layer.units[place])
      last = layer
    }
    guard var last, !isPower || isExponential(elements) else {
      throw fault("is returned, and gives no output of a linear model or of trees")
    }
    let isShared = [.softmax, .oneVersusRest].contains(last.activation)
    guard !isShared || whole(elements) != nil else {
      throw fault("is returned, and leaves out shares of some classes")
    }
    last.units = units
    let isOfSecond = try takeSecond(&last)
    if case .trees(let name) = last.source {
      return .trees(try trees(last, name, isPower: isPower))
    }
    guard !isPower else { throw fault("takes exp of a sum") }
    return .layers(try chain(last, hasTwoColumns: isOfSecond))
  }

  private func isExponential(_ elements: [TableElement]) -> Bool {
    table.program.task == .regression
      && elements.allSatisfy { if case .power = $0 { true } else { false } }
  }

  /// Of two classes whose columns say the same, the second alone.
  private func takeSecond(_ last: inout TableUnits) throws(TableFault) -> Bool {
    guard case .classification = table.program.task, last.units.count == 2,
      table.program.givesProbabilities
    else { return false }
    let (first, second) = (last.units[0], last.units[1])
    switch (last.source, last.activation) {
    case (_, .sigmoid):
      guard first.offset == -second.offset, last.isOpposite(first, last, second) else {
        throw fault("gives sigmoids of two sums, which do not add up to 1")
      }
    case (.trees, .identity):
      guard first.offset + second.offset == 1, last.isOpposite(first, last, second) else {
        return false
      }
    default: return false
    }
    last.units = [second]
    return true
  }

  private func trees(
    _ layer: TableUnits, _ name: String, isPower: Bool
  ) throws(TableFault) -> TreeModel {
    let transform: TreeEnsemble.Transform? =
      switch layer.activation {
      case .identity: isPower ? .exponential : .identity
      case .sigmoid: .sigmoid
      case .softmax: layer.units.count > 1 ? .softmax : nil
      case .oneVersusRest: layer.units.count > 1 ? .oneVersusRest : nil
      case .relu, .tanh: nil
      }
    guard let transform else {
      throw fault("does '\(layer.activation.rawValue)' with the sums of trees")
    }
    let program = table.program
    guard let step = program.steps.first(where: { $0.name == name }) else {
      throw fault("has no trees")
    }
    let ensemble: TreeEnsemble
    do throws(ColumnFault) {
      ensemble = try TableTrees(table, features, step, layer).ensemble(transform)
    } catch {
      throw TableFault(
        step: error.cell == nil ? step : fault(error).step, reason: error.reason, mend: error.mend)
    }
    return TreeModel(
      ensemble: ensemble, features: features, task: program.task, library: program.library,
      givesProbabilities: transform == .identity ? program.givesProbabilities : nil)
  }

  private func chain(
    _ last: TableUnits, hasTwoColumns: Bool
  ) throws(TableFault) -> TableLayers {
    var chain = [last]
    while let first = chain.first, let before = whole(first.inputs) {
      chain.insert(layers[before], at: 0)
    }
    var made: [TableLayers.Layer] = []
    for layer in chain {
      guard case .linear(let weights) = layer.source else {
        throw fault("reads sums of trees in a linear model")
      }
      made.append(
        TableLayers.Layer(
          rows: layer.units.map { layer.row($0, weights) }, offsets: layer.units.map(\.offset),
          activation: layer.activation))
    }
    let columns: TableColumns
    do throws(ColumnFault) {
      columns = try TableColumns(chain[0].inputs, of: features)
    } catch {
      throw fault(error)
    }
    guard chain[0].norm == nil || columns.areAllRead else {
      throw fault("follows a row of some features that is divided by their size")
    }
    made[0] = TableLayers.Layer(
      rows: made[0].rows.map(columns.row), offsets: made[0].offsets,
      activation: made[0].activation)
    return TableLayers(
      library: table.program.library, features: columns.features,
      standardisation: columns.standardisation, norm: chain[0].norm, layers: made,
      task: table.program.task, hasTwoColumns: hasTwoColumns, outputName: table.program.outputName)
  }
}
