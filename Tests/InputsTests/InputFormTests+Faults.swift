import Files
import ModelFixtures
import StrictJSON
import TestSupport
import Testing
import Weights

@testable import Inputs

// Files of inputs that are refused.
extension InputFormTests {
  static let faults = [
    Case(
      name: "not gzip", file: "x.jsonl.gz", text: "{}",
      decision: "x.jsonl.gz:1:1: is called '.gz', its bytes are not gzip's"),
    Case(
      name: "blank plain line", file: "x.txt", text: "a\n\nb",
      decision: "x.txt:2:1: the line is blank"),
    Case(
      name: "blank plain lines before a text", file: "x.txt", text: " \t\n\nb\n\n",
      decision: "x.txt:1:1: the line is blank"),
    Case(
      name: "UTF-16", file: "x.txt", text: "a\0b\0",
      decision: "x.txt:1:1: the line holds a zero byte, as UTF-16 has them; save the file as UTF-8"),
    Case(
      name: "a second text alone", file: "x.jsonl", text: "{\"text_pair\": \"a\"}\n",
      decision: "x.jsonl:1:1: the key 'text' is missing"),
    Case(
      name: "a pair of texts and an image", file: "x.jsonl",
      text: "{\"text\": \"a\", \"text_pair\": \"b\", \"image\": \"c.png\"}\n",
      decision: "x.jsonl:1:42: unknown key 'image'; known here: text, text_pair"),
    Case(
      name: "a second column of texts alone", file: "x.csv", text: "text_pair,id\na plane,b\n",
      decision:
        "x.csv:1:1: the columns are 'text_pair', 'id' and texts stand below them; none is known as "
        + "one of texts, expected the header sentence1,sentence2,score for pairs (score may be left out), "
        + "or text for single texts"),
    Case(
      name: "fields missing", file: "x.csv", text: "text,id\na,1\nb\n",
      decision: "x.csv:3:1: the record has 1 field, the header has 2 columns"),
    Case(
      name: "blank record", file: "x.csv", text: "text,id\na,1\n\n",
      decision: "x.csv:3:1: the line is blank"),
    Case(
      name: "column twice", file: "x.csv", text: "text,text\na,b\n",
      decision: "x.csv:1:6: the column name 'text' is empty or appears twice"),
    Case(
      name: "unknown column", file: "x.csv", text: "sentence1,sentence2,simlarity\na,b,1\n",
      decision:
        "x.csv:1:21: the column 'simlarity' is not known beside 'sentence1' and 'sentence2'; "
        + "known are score, label, similarity, expect"),
    Case(
      name: "two labels", file: "x.csv", text: "a,b,score,label\nx,y,1,1\n",
      decision: "x.csv:1:11: a pair has one label, 'score' and 'label' are two"),
    Case(
      name: "label of letters", file: "x.csv", text: "a,b,score\nx,y,high\n",
      decision: "x.csv:2:5: a label is \"high\", expected a number"),
    Case(
      name: "hexadecimal", file: "x.csv", text: "x,y\n1,2\n0x10,2\n",
      decision: "x.csv:3:1: 'x' is \"0x10\", expected a number that a 32-bit float holds"),
    Case(
      name: "a number too large", file: "x.csv", text: "x,y\n1,1e39\n",
      decision: "x.csv:2:3: 'y' is \"1e39\", expected a number that a 32-bit float holds"),
    Case(
      name: "no number", file: "x.csv", text: "x,y\n1,nan\n",
      decision: "x.csv:2:3: 'y' is \"nan\", expected an empty field where a value is missing"),
    Case(
      name: "expectation", file: "x.csv", text: "a,b,expect\nx,y,yes\n",
      decision: "x.csv:2:5: 'expect' is \"yes\", expected match or mismatch"),
    Case(
      name: "open quote", file: "x.csv", text: "text\na\n\"b\nc\n",
      decision: "x.csv:3:1: a quoted field begins here and does not end"),
    Case(
      name: "no header", file: "x.csv", text: "\"a plane\",\"a cat\",0.5\n\"a\",\"b\",1\n",
      decision: "x.csv:1:1: the columns are 'a plane', 'a cat', '0.5' and texts stand below them; "
        + "the first line is no header, "
        + "expected the header sentence1,sentence2,score for pairs (score may be left out), "
        + "or text for single texts"),
    Case(
      name: "capitals in a header", file: "x.csv", text: "Sentence1,Sentence2,Score\na,b,0.5\n",
      decision:
        "x.csv:1:1: the columns are 'Sentence1', 'Sentence2', 'Score' and texts stand below them; "
        + "columns of texts are written in lower case, "
        + "expected the header sentence1,sentence2,score for pairs (score may be left out), "
        + "or text for single texts"),
    Case(
      name: "other names", file: "x.tsv", text: "text1\ttext2\tlabel\na\tb\t1\n",
      decision: "x.tsv:1:1: the columns are 'text1', 'text2', 'label' and texts stand below them; "
        + "none is known as one of texts, "
        + "expected the header sentence1,sentence2,score for pairs (score may be left out), "
        + "or text for single texts"),
    Case(
      name: "one other name", file: "x.csv", text: "sentence\nhello\n",
      decision: "x.csv:1:1: the columns are 'sentence' and texts stand below them; "
        + "none is known as one of texts, "
        + "expected the header sentence1,sentence2,score for pairs (score may be left out), "
        + "or text for single texts"),
    Case(
      name: "semicolons", file: "x.csv", text: "sentence1;sentence2;score\na;b;0.5\n",
      decision:
        "x.csv:1:1: the columns are 'sentence1;sentence2;score' and texts stand below them; "
        + "fields are parted by semicolons, not by commas, "
        + "expected the header sentence1,sentence2,score for pairs (score may be left out), "
        + "or text for single texts"),
    Case(
      name: "carriage returns alone", file: "x.csv", text: "text\rhello\rworld\r",
      decision: "x.csv:1:1: there is a carriage return without a newline behind it; save the "
        + "file with lines that end in LF or CRLF"),
    Case(
      name: "carriage returns alone behind quotes", file: "x.csv",
      text: "text,id\n\"hello\",1\r\"world\",2\r",
      decision: "x.csv:2:1: there is a carriage return without a newline behind it; save the "
        + "file with lines that end in LF or CRLF"),
    Case(
      name: "plain lines of carriage returns", file: "x.txt", text: "ok\nhello\rworld\n",
      decision: "x.txt:2:1: there is a carriage return without a newline behind it; save the "
        + "file with lines that end in LF or CRLF"),
    Case(
      name: "behind a quote", file: "x.csv", text: "text\n\"a\"b\n",
      decision:
        "x.csv:2:1: text follows the closing quote of a field; a quote in a field is written "
        + "twice"),
  ]

  @Test(arguments: faults) func refuses(_ test: Case) {
    let fault = refusal { _ = try InputLines(bytes: Array(test.text.utf8), origin: test.file) }
    #expect(fault == test.decision)
  }

  @Test func bytesThatAreNotUTF8NameTheirLine() {
    for (name, start) in [("x.txt", "ok\n"), ("x.csv", "text\n")] {
      let fault = refusal {
        _ = try InputLines(bytes: Array(start.utf8) + [0xC3, 0x28, 0x0A], origin: name)
      }
      #expect(fault == "\(name):2:1: the line is not UTF-8")
    }
  }

  @Test func longRecordsAreRefused() {
    let text = "text\n\"" + String(repeating: "x\n", count: 1 << 19) + "\"\n"
    let fault = refusal { _ = try InputLines(bytes: Array(text.utf8), origin: "x.csv") }
    #expect(fault == "x.csv:2:1: the record has more than 1048576 bytes")
  }

}
