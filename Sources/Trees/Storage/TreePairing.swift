/// Which nodes of one ensemble are which of another that decides by the same features, in trees of the same
/// form: one of them may have merged equal nodes, and compared with other thresholds.
package struct TreePairing: Sendable {
  /// Of each branch the other's; nil where no row comes to it, or where it asks for a set of categories.
  package let branches: [Int?]
  /// Of each leaf the other's.
  package let leaves: [Int?]

  /// Branches of the other, and leaves.
  package let others: (branches: Int, leaves: Int)

  /// Nil where a tree has another form, another feature or another rule somewhere, or where two numbers of the
  /// other would belong to one.
  package init?(_ own: TreeEnsemble, _ other: TreeEnsemble) {
    guard own.featureCount == other.featureCount, own.leafWidth == other.leafWidth,
      own.outputs == other.outputs, own.outputCount == other.outputCount
    else { return nil }
    var branches = [Int?](repeating: nil, count: own.branchCount)
    var leaves = [Int?](repeating: nil, count: own.leafCount)
    var open = Array(zip(own.roots, other.roots))
    while let (node, theirs) = open.popLast() {
      guard (node < 0) == (theirs < 0) else { return nil }
      if node < 0 {
        let (leaf, found) = (-1 - Int(node), -1 - Int(theirs))
        if let known = leaves[leaf], !other.haveEqualNumbers(known, found) { return nil }
        leaves[leaf] = leaves[leaf] ?? found
        continue
      }
      let (branch, found) = (Int(node), Int(theirs))
      guard branches[branch] != found else { continue }
      guard own.features[branch] == other.features[found], own.rules[branch] == other.rules[found]
      else { return nil }
      if own.rules[branch].contains(.isCategory) {
        guard own.set(of: branch) == other.set(of: found) else { return nil }
      } else if let known = branches[branch], other.thresholds[known] != other.thresholds[found] {
        return nil
      }
      branches[branch] = found
      open.append((own.left[branch], other.left[found]))
      open.append((own.right[branch], other.right[found]))
    }
    self.branches = branches.enumerated().map { own.rules[$0].contains(.isCategory) ? nil : $1 }
    self.leaves = leaves
    others = (other.branchCount, other.leafCount)
  }
}

extension TreeEnsemble {
  fileprivate func set(of branch: Int) -> CategorySet { categories[Int(thresholds[branch])] }

  fileprivate func haveEqualNumbers(_ leaf: Int, _ other: Int) -> Bool {
    leaf == other
      || (0..<leafWidth).allSatisfy {
        leaves[leaf * leafWidth + $0] == leaves[other * leafWidth + $0]
      }
  }
}

extension TreeEnsemble {
  /// Where a branch is first: the number of its tree, and its number there, level by level from the root, which
  /// is 0. Nil where no tree reaches it, or shared branches make more nodes than are looked at.
  package func place(ofBranch branch: Int) -> (tree: Int, node: Int)? {
    var rest = 1 << 20 + 4 * branchCount
    for (tree, root) in roots.enumerated() {
      var open = [root]
      var number = 0
      while number < open.count {
        let node = open[number]
        rest -= 1
        guard rest > 0 else { return nil }
        if node == Int32(branch) { return (tree, number) }
        if node >= 0 { open += [left[Int(node)], right[Int(node)]] }
        number += 1
      }
    }
    return nil
  }
}
