# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Learns to read handwritten digits, with every number computed by programs that mlir-xla compiled.

    python examples/digits/train.py                 both models
    python examples/digits/train.py --model cnn
    python examples/digits/train.py --target reference --model mlp --epochs 1

The first model is a perceptron whose training step, gradient included, is written by hand with `XlaBuilder` (`mlp.py`).
The second is a convolutional network whose training step JAX wrote as StableHLO (`cnn.py`, `cnn_train_step.mlir`).
NumPy only draws the first weights and deals out the images.
"""

from __future__ import annotations

import argparse
import dataclasses
import pathlib
import sys
import tempfile
import time
from collections.abc import Callable, Sequence

import numpy as np
from data import Digits, load
from terminal import Progress, draw, duration

from mlir_xla.api import TARGETS

REQUIRED_ACCURACY = 0.97


@dataclasses.dataclass
class Model:
    """A compiled model: `step(*state, rate, images, labels)` returns the next state and the loss, and
    `predict(*parameters, images)` the digits, where the parameters are the first of the state."""

    name: str
    step: Callable[..., Sequence[np.ndarray]]
    predict: Callable[..., Sequence[np.ndarray]]
    state: list[np.ndarray]
    parameters: int
    images: Callable[[np.ndarray], np.ndarray]
    batch: int
    epochs: int
    rate: float

    def train(self, digits: Digits, rng: np.random.Generator) -> tuple[int, float]:
        """Trains with a rate that falls to zero along a cosine; returns the number of steps and seconds."""
        steps = self.epochs * (len(digits) // self.batch)
        progress = Progress(steps)
        start = time.perf_counter()
        done = 0
        for epoch in range(self.epochs):
            for pixels, labels in digits.batches(self.batch, rng):
                rate = np.float32(self.rate * 0.5 * (1.0 + np.cos(np.pi * done / steps)))
                *self.state, loss = self.step(*self.state, rate, self.images(pixels), labels)
                done += 1
                progress.show(done, f"epoch {epoch + 1}  loss {float(loss):.4f}")
        return done, time.perf_counter() - start

    def read(self, digits: Digits) -> np.ndarray:
        """The digit that each image shows, in the model's opinion; the last batch is filled up with blanks."""
        found = []
        for start in range(0, len(digits), self.batch):
            pixels = digits.images[start : start + self.batch]
            blanks = np.zeros((self.batch - len(pixels), 8, 8), np.float32)
            (labels,) = self.predict(*self.state[: self.parameters], self.images(np.concatenate([pixels, blanks])))
            found.append(labels[: len(pixels)])
        return np.concatenate(found)


def compile_program(program: object, name: str, settings: argparse.Namespace) -> Callable[..., Sequence[np.ndarray]]:
    """Compiles a computation or StableHLO text, says how long it took, and writes the IR of every stage."""
    import mlir_xla

    start = time.perf_counter()
    executable = mlir_xla.compile(program, target=settings.target)
    seconds = time.perf_counter() - start
    paths = executable.dump(settings.stages / name)
    stages = " > ".join(path.stem.split("-", 1)[1] for path in paths)
    print(f"   compiled {name} in {duration(seconds)}  ({stages})")

    def call(*arguments: np.ndarray) -> Sequence[np.ndarray]:
        results = executable(*arguments)
        return results if isinstance(results, tuple) else (results,)

    return call


def perceptron(settings: argparse.Namespace, rng: np.random.Generator) -> Model:
    """The model built with `XlaBuilder`."""
    import mlp

    print(f"1. A perceptron ({mlp.DESCRIPTION}), forward and backward written with XlaBuilder")
    return Model(
        "perceptron",
        compile_program(mlp.train_step(), "mlp_train_step", settings),
        compile_program(mlp.predict(), "mlp_predict", settings),
        mlp.initial_state(rng),
        len(mlp.SHAPES),
        mlp.images,
        mlp.BATCH,
        mlp.EPOCHS if settings.epochs is None else settings.epochs,
        mlp.LEARNING_RATE,
    )


def convolutional(settings: argparse.Namespace, rng: np.random.Generator) -> Model:
    """The model read from StableHLO."""
    import cnn

    print("2. A convolutional network, exported from JAX as StableHLO, trained with Adam")
    return Model(
        "convolutional network",
        compile_program(cnn.TRAIN_STEP.read_text(), "cnn_train_step", settings),
        compile_program(cnn.PREDICT.read_text(), "cnn_predict", settings),
        cnn.initial_state(rng),
        len(cnn.SHAPES),
        cnn.images,
        cnn.BATCH,
        cnn.EPOCHS if settings.epochs is None else settings.epochs,
        cnn.LEARNING_RATE,
    )


def natural(text: str) -> int:
    """An integer that is not negative."""
    number = int(text)
    if number < 0:
        raise ValueError
    return number


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", choices=("mlp", "cnn", "both"), default="both")
    parser.add_argument("--epochs", type=natural, help="instead of each model's own number")
    parser.add_argument("--seed", type=natural, default=0, help="of the first weights and the order of the images")
    parser.add_argument(
        "--target", choices=TARGETS, default="cpu", help="where to train; the interpreter and the emulator are slow"
    )
    parser.add_argument("--stages", type=pathlib.Path, help="folder for the IR of every stage")
    settings = parser.parse_args()
    if settings.stages is None:
        settings.stages = pathlib.Path(tempfile.gettempdir()) / "mlir-xla-digits"
    return settings


def main() -> int:
    settings = options()
    train, test = load()
    print(f"{len(train)} handwritten digits to learn from, {len(test)} others to read\n")
    makers = {"mlp": perceptron, "cnn": convolutional}
    chosen = makers if settings.model == "both" else {settings.model: makers[settings.model]}
    accuracies = {}
    for make in chosen.values():
        rng = np.random.default_rng(settings.seed)
        model = make(settings, rng)
        steps, seconds = model.train(train, rng)
        start = time.perf_counter()
        labels = model.read(test)
        reading = time.perf_counter() - start
        accuracy = accuracies[model.name] = float(np.mean(labels == test.labels))
        print(f"   trained {steps} steps in {duration(seconds)}, {duration(seconds / max(steps, 1))} each")
        print(f"   read {len(test)} new digits in {duration(reading)}: {accuracy:.2%} are right\n")

    wrong = np.flatnonzero(labels != test.labels)[:3]
    right = np.flatnonzero(labels == test.labels)[: 6 - len(wrong)]
    shown = np.concatenate([right, wrong])
    print(f"What the {model.name} read" + (" (and where it erred)" if len(wrong) else ""))
    captions = [f"{labels[i]}" if labels[i] == test.labels[i] else f"{labels[i]}, is {test.labels[i]}" for i in shown]
    print(draw(test.images[shown], captions))
    print(f"\nThe IR of every stage of every program is in {settings.stages}")

    if settings.epochs is None and min(accuracies.values()) < REQUIRED_ACCURACY:
        print(f"error: expected an accuracy of at least {REQUIRED_ACCURACY:.0%}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
