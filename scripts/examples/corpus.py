"""Training text for the example encoder: sentences made from word lists, and the standard library's own documentation.

Nothing of this text is committed; only the weights trained on it are.
"""
import ast
import random
import re
import sysconfig
from pathlib import Path

WORDS = {
    "who": "i|we|you|they|my friend|my sister|my brother|the coach|the doctor|a colleague|the neighbour|our team|the children|my mother|my father|the teacher|a stranger|the baby|my grandmother|the boss|a user|the customer|her husband|his wife|two people|the dog|the cat|a bird|the driver|a student|the manager|a girl|a boy|an old man|a young woman|the crowd|the family",
    "food": "water|tea|coffee|milk|juice|bread|rice|soup|salad|fruit|an apple|vegetables|tomatoes|fish|meat|eggs|cheese|sweets|sugar|chocolate|breakfast|lunch|dinner|a snack|a sandwich|vitamins|nuts|a healthy meal|pasta|cake|a glass of water|a cup of tea|potatoes|beer|wine|pizza",
    "sport": "run five kilometres|go for a run|go running|walk ten thousand steps|go for a walk|swim|go swimming|ride a bike|go cycling|lift weights|train at the gym|do yoga|stretch|do push-ups|play football|play tennis|jump rope|climb|hike in the forest|dance|ski|run a marathon|do a short workout|take the stairs|take a cold shower|exercise|train for the race|row a boat|skate|surf",
    "calm": "meditate|breathe deeply|sit quietly|take a short rest|lie down|sleep eight hours|go to bed early|wake up early|take a nap|write in my diary|keep a diary|write down three good things|say thank you|smile at a neighbour|call my parents|phone the family|talk to a friend|write a letter|turn off the television|put the phone away|listen to music|read a book|read twenty pages|pray|think about the day|rest on sunday|fall asleep|relax",
    "home": "clean the kitchen|wash the dishes|tidy the desk|iron the shirts|water the plants|work in the garden|plant a tree|grow tomatoes|feed the cat|feed the birds|walk the dog|wash the car|clean the windows|make the bed|cook dinner|bake bread|prepare lunch|buy fruit at the market|go to the shop|make a list|take out the rubbish|brush my teeth|use dental floss|weigh the baby|fix the roof|close the window|light a fire|paint the wall|sweep the floor|do the laundry",
    "learn": "learn spanish words|practise french|learn to play chess|practise the guitar|play the piano|solve a puzzle|paint a picture|take a photo|study for the exam|practise handwriting|give a speech|write a story|learn to swim|learn the names of the stars|read the news|plan the week|choose a goal|save money|put some money aside|spend less|drink less coffee|stop smoking|lose some weight|count the calories|track my weight|see a doctor|invite a friend|sing a song|draw a map|build a house",
    "thing": "app|phone|watch|screen|battery|widget|map|timer|reminder|notification|account|password|email address|user name|subscription|trial|invoice|payment|price|refund|yearly plan|premium version|privacy policy|terms|data|backup|cloud|server|update|version|theme|font|language|setting|statistics|progress|streak|goal|habit|step counter|heart rate|storage|internet|sound|photo|calendar|message|camera|website|button|page|list|device",
    "fault": "does not work|does not load|crashes|is too slow|is wrong|is missing|came too late|stays white|gets very hot|drains the battery|stopped working|is too small|does not update|was declined|was charged twice|is not available|has the wrong address|is broken|shows the wrong time|is not counted|was reset|disappeared|freezes|is empty|was lost|is too expensive|failed|cannot connect|runs down|is full",
    "ask": "how do i change the|how can i cancel the|where do i find the|what is the|please delete the|i want to reset the|can i share the|i forgot the|show me the|turn off the|turn on the|mute the|sync the|download the|export the|restore the|update the|connect the|choose another|install the|close the|open the|i can't open the|log out of the|pay for the|i would like to upgrade the|let me see the|send me the|does the app support the|stop the",
    "feel": "tired|happy|sad|stressed|angry|bored|proud|sick|hungry|thirsty|afraid|calm|lonely|excited|nervous|strong|weak|cold|hot|busy|awake|sleepy|healthy|in pain|motivated|disappointed|worried|surprised|relaxed|grateful",
    "when": "every day|in the morning|after lunch|before bed|at night|in the evening|twice a week|on sunday|at the weekend|after work|before breakfast|every two hours|once a month|at seven o'clock|before eleven|during the night|in spring|in winter|this week|yesterday|tomorrow|last night|after three|for ten minutes|for half an hour|for an hour|on friday|every evening|later|now|today|once a year|in the afternoon|when it rains",
    "where": "at home|in the park|at the gym|in the office|at work|at school|on the bus|in the train|in the forest|on the beach|in the city|in the street|at the station|on the balcony|in bed|by the river|in the mountains|at the hospital|in the kitchen|on the phone|in the water|at the shop|near the sea|in a restaurant|at the airport|on the table|under a tree|on stage|in the rain|in the snow",
    "scene": "plays with a ball|rides a horse|drives a car|plays the drums|cuts an onion|is reading a newspaper|is eating|opens the door|waits for the bus|buys a ticket|looks at the sky|holds an umbrella|is sleeping|crosses the street|is laughing|carries a box|throws a stone|writes on the board|pushes a bicycle|sells flowers|wears a red hat|is cooking|kicks the ball|feeds the ducks|sits on a bench|runs along the beach|climbs a mountain|takes a picture|catches a fish|washes the car",
    "news": "prices rose|the election is over|the government resigned|the storm destroyed the bridge|the team won the match|shares fell|the company hired new people|scientists found a new planet|the museum opened|the police arrested a man|the law was changed|the flight was delayed|the train was late|the road is closed|the film won a prize|the bank raised interest rates|the factory closed|the president visited the country|a fire broke out|the concert was cancelled|the temperature fell below zero|the river flooded the town|the rocket reached space|the strike ended|the school introduced a new rule",
}
TEMPLATES = (
    "{sport} {when}|{calm} {when}|{home} {when}|{learn} {when}|{sport}|{calm}|{home}|{learn}|eat {food} {when}|drink {food}|have {food}|"
    "remind me to {sport} {when}|remind me to {calm}|send me a reminder to {home}|i want to {learn}|i would like to {sport}|try to {calm} {when}|"
    "{ask} {thing}|{ask} {thing}?|the {thing} {fault}|my {thing} {fault} {when}|the {thing} {fault} and the {thing} {fault}|i can't find the {thing}|"
    "i feel {feel} {when}|{who} feel {feel}|when you are {feel}, {calm}|i am {feel} {where}|{who} had {food} {when}|{who} bought {food} {where}|"
    "{who} {scene}|{who} {scene} {where}|{who} {scene} while {who} {scene}|{news}|{news} {when}|{news} because {news}|no {food} {when}|less {food}, more {food}|"
    "{sport} or {sport}|{calm} instead of {learn}|use the {thing} to {learn}|the {thing} of the {thing} {fault}|{home} and {home} {when}|{sport} {where}|"
    "i forgot to {home}|did you {calm} {when}?|i could not {sport} because i was {feel}|add a habit: {learn}|delete the habit {sport}|how often should i {calm}?|"
    "{who} and {who} {scene}|why is the {thing} so {feel}?|{news}, so {who} stayed {where}|the {thing} and the {thing}|is there a {thing} for the {thing}?"
).split("|")
PLAIN = re.compile(r"[A-Za-z0-9 ,.'\"?!:;()-]+")


def made_sentences(count: int, seed: int) -> list[str]:
    """Distinct sentences from the templates."""
    chance, lists = random.Random(seed), {name: words.split("|") for name, words in WORDS.items()}
    fill = lambda match: chance.choice(lists[match.group(1)])
    found: dict[str, None] = {}
    while len(found) < count:
        found[re.sub(r"\{(\w+)\}", fill, chance.choice(TEMPLATES))] = None
    return list(found)


def word_groups(words: list[str], count: int, seed: int) -> list[str]:
    """One to eight random words: teaches what every word of the vocabulary means on its own."""
    chance = random.Random(seed)
    return list(words) + [" ".join(chance.choices(words, k=chance.randint(1, 8))) for _ in range(count)]


def documented(file: Path) -> list[str]:
    """The documentation strings of one Python file."""
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError):
        return []
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
    return [text for node in ast.walk(tree) if isinstance(node, kinds) and (text := ast.get_docstring(node))]


def documentation_sentences(count: int, seed: int) -> list[str]:
    """Plain sentences from the documentation strings of Python's standard library."""
    found: set[str] = set()
    for file in Path(sysconfig.get_path("stdlib")).rglob("*.py"):
        if "site-packages" in file.parts or "test" in file.parts:
            continue
        for paragraph in (part for text in documented(file) for part in text.split("\n\n")):
            sentences = re.split(r"(?<=[.!?])\s+", " ".join(paragraph.split()))
            found.update(s for s in sentences if 3 <= len(s.split()) <= 30 and PLAIN.fullmatch(s))
    return random.Random(seed).sample(sorted(found), min(count, len(found)))
