import ArgumentParser
import Files

/// The program as a whole.
public enum Program {
  /// Runs what the command line asks for and ends the process.
  public static func main() {
    // A full pipe or disk must come back as an error with a message, not end the process.
    System.reserveStandardDescriptors()
    System.ignoreWriteSignals()
    UnfinishedWork.removeOnSignals()
    IngotCommand.main()
  }
}
