"""Synthetic but sensible signals of a phone, and what their users then do: the data behind the quickstart's flows.

Each function returns features [rows, columns] in the order of its names, and the truth: a label index or a number.
"""
import numpy as np

Data = tuple[np.ndarray, np.ndarray]


def sigmoid(x: np.ndarray) -> np.ndarray:
    """The logistic function."""
    return 1 / (1 + np.exp(-x))


def pick(chance: np.random.Generator, scores: np.ndarray) -> np.ndarray:
    """One label per row, with softmax probabilities."""
    return (scores + chance.gumbel(size=scores.shape)).argmax(axis=1)


def onboarding_upsell(chance: np.random.Generator, rows: int, tutorial_effect: float) -> Data:
    """Who buys the premium version at the end of the first tour."""
    battery = chance.beta(3, 2, rows)
    hour = chance.integers(0, 24, rows)
    sessions = chance.poisson(4, rows)
    goals = chance.integers(0, 6, rows)
    tutorial = chance.beta(2, 1.5, rows)
    trial = chance.random(rows) < 0.3
    score = -2.6 + 0.6 * battery + 0.22 * sessions + 0.3 * goals + tutorial_effect * tutorial + 0.9 * trial - 0.05 * abs(hour - 19)
    x = np.column_stack([battery, hour, sessions, goals, tutorial, trial])
    return x, (chance.random(rows) < sigmoid(score)).astype(int)


def notification_timing(chance: np.random.Generator, rows: int) -> Data:
    """When a reminder is opened: in the morning, around noon or in the evening."""
    wake = chance.normal(7, 1.2, rows)
    commute = chance.gamma(2, 14, rows)
    morning_share = chance.beta(2, 3, rows)
    weekend = (chance.random(rows) < 2 / 7).astype(float)
    battery = chance.beta(4, 2, rows)
    opened = chance.beta(2, 2, rows)
    last_open = chance.uniform(0, 24, rows)
    early = 3.0 * morning_share - 0.7 * (wake - 7) - 1.2 * weekend
    noon = 1.1 * np.cos((last_open - 12) / 24 * 2 * np.pi) + 0.8 * weekend + 0.5
    late = 0.035 * commute + 1.2 * (1 - battery) + 1.4 * (opened - 0.5) * (last_open > 16)
    x = np.column_stack([wake, commute, morning_share, weekend, battery, opened, last_open])
    return x, pick(chance, 1.6 * np.column_stack([early, noon, late]))


def session_length(chance: np.random.Generator, rows: int) -> Data:
    """How many minutes the next workout takes."""
    last = chance.gamma(6, 4, rows)
    week = chance.poisson(3, rows)
    heart = chance.normal(66, 8, rows)
    hour = chance.integers(5, 23, rows)
    sleep = chance.normal(7.1, 0.9, rows)
    rain = chance.random(rows) < 0.35
    minutes = 6 + 0.55 * last + 1.4 * week - 0.08 * (heart - 66) + 1.9 * (sleep - 7) - 3.2 * rain + 0.15 * hour
    x = np.column_stack([last, week, heart, hour, sleep, rain])
    return x, minutes + chance.normal(0, 2.5, rows)


def habit_suggestion(chance: np.random.Generator, rows: int) -> Data:
    """Which kind of habit is taken up: moving, sleeping, eating or calm."""
    steps = chance.gamma(4, 1800, rows)
    sleep = chance.normal(6.9, 1.0, rows)
    screen = chance.gamma(3, 1.3, rows)
    meals = chance.poisson(2.4, rows)
    stress = chance.beta(2, 2.5, rows)
    age = chance.uniform(18, 70, rows)
    scores = np.column_stack([
        1.4 - steps / 5000, 1.1 * (7.2 - sleep), 0.7 * (3 - meals) + 0.01 * (age - 40), 2.6 * stress + 0.25 * screen - 1.6])
    return np.column_stack([steps, sleep, screen, meals, stress, age]), pick(chance, 1.3 * scores)


def churn_risk(chance: np.random.Generator, rows: int) -> Data:
    """Who leaves within a month. Milliseconds stand beside fractions."""
    since_boot = chance.exponential(2.2e8, rows)
    since_session = chance.exponential(7.5e7, rows)
    installed = chance.exponential(6.0e9, rows)
    storage = chance.beta(2, 3, rows)
    crash_rate = chance.beta(1.2, 30, rows)
    score = 1.1 * since_session / 7.5e7 - 0.35 * installed / 6e9 + 0.5 * since_boot / 2.2e8 + 9 * crash_rate - 1.2 * storage - 1.4
    x = np.column_stack([since_boot, since_session, installed, storage, crash_rate])
    return x, (chance.random(rows) < sigmoid(score)).astype(int)


def workout_tonight(chance: np.random.Generator, rows: int) -> Data:
    """Whether somebody trains this evening. Who wears no watch has no resting heart rate, and some have no last workout."""
    battery = chance.beta(3, 2, rows)
    hour = chance.integers(15, 23, rows).astype(float)
    since = chance.gamma(2, 1.6, rows)
    heart = chance.normal(64, 8, rows)
    sleep = chance.normal(7.0, 0.9, rows)
    rain = (chance.random(rows) < 0.3).astype(float)
    tired = np.maximum(heart - 68, 0) / 6 + np.maximum(6.3 - sleep, 0) * 1.5
    score = 1.2 - tired - 0.5 * abs(since - 3) - 0.9 * rain - 0.6 * np.maximum(hour - 20, 0) + 0.5 * (battery > 0.3)
    heart[chance.random(rows) < 0.25] = np.nan
    since[chance.random(rows) < 0.1] = np.nan
    x = np.column_stack([battery, hour, since, heart, sleep, rain])
    return x, (chance.random(rows) < sigmoid(1.8 * score)).astype(int)
