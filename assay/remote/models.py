"""Models of a collection that judge: prompts, judges, and what they are asked for."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assay.remote.connection import POOL_TIMEOUT
from assay.remote.errors import SiteError
from assay.remote.jobs import Job
from assay.remote.lists import Row
from assay.remote.part import Part
from assay.remote.uploads import CHUNK


class Models(Part):
    """Prompts and model judges."""

    def prompts(self) -> list[Row]:
        """The newest version of each prompt."""
        found: list[Row] = self._get("prompts")
        return found

    def save_prompt(
        self,
        name: str,
        user: str,
        system: str = "",
        form: str = "json",
        criteria: Any = (),
        scale_order: str = "ascending",
    ) -> Row:
        """Save a version of a prompt. The texts of the newest version make no new one.

        Parameters
        ----------
        name : str
            Its name.
        user, system : str
            The texts, with fields such as ``{title}``, ``{scale}`` and ``{document}``.
        form : {"json", "line"}
            What the prompt asks for.
        criteria : sequence of str
            Names of further grades.
        scale_order : {"ascending", "descending"}
            Whether the text of the scale begins with the lowest or the highest grade.

        Returns
        -------
        dict
            The version with its hash.
        """
        body = {"system": system, "user": user, "form": form, "criteria": list(criteria), "scale_order": scale_order}
        row: Row = self._connection.send("PUT", self._path("prompts", name), body=body).json()
        return row

    def model_judges(self) -> list[Row]:
        """The models that the site asks, each with its settings, its state and its cost, without its secret."""
        found: list[Row] = self._get("model-judges")
        return found

    def save_model_judge(
        self, name: str, kind: str = "chat", *, prompt: str = "direct", secret: str | None = None, **settings: Any
    ) -> Row:
        """Save a model judge, or change the one with this name that has no judgements.

        Parameters
        ----------
        name : str
            Its name.
        kind : {"chat", "umbrela", "offline"}
            What is asked.
        prompt : str
            A prompt of the collection, or one that every collection can start with.
        secret : str, optional
            The value of the header that the server requires; None keeps the former one.
        **settings
            The endpoint: ``address``, ``model``, ``temperature``, ``max_tokens``, ``logprobs``, ``seed`` and others.

        Returns
        -------
        dict
            The judge without its secret. An owner must confirm its host before documents are sent there.
        """
        body = {"kind": kind, "prompt": prompt, "secret": secret, "settings": settings}
        row: Row = self._connection.send("PUT", self._path("model-judges", name), body=body).json()
        return row

    def confirm_model_host(self, name: str) -> None:
        """Allow documents of the collection to be sent to the host of a judge. Only an owner may.

        Parameters
        ----------
        name : str
            The judge.
        """
        self._connection.send("POST", self._path("model-judges", name, "confirmation"), body={})

    def try_model(self, name: str, **options: Any) -> Job:
        """Ask for three documents.

        Parameters
        ----------
        name : str
            The judge.
        **options
            ``price_input`` and ``price_output`` of a million tokens, for the estimate.

        Returns
        -------
        Job
            Its result has prompts, answers, grades and an estimate for the pool.
        """
        return self._asked(name, "trial", options)

    def ask_model(self, name: str, **options: Any) -> Job:
        """Ask for the grades of the pool. Each answer is saved with its judgement when it arrives.

        Parameters
        ----------
        name : str
            The judge.
        **options
            ``price_input``, ``price_output``, ``most_cost``, ``most_tokens``, ``concurrency``, ``per_second``,
            ``seed``, ``ask_failed_again``, and ``sample`` to ask for some pairs again.

        Returns
        -------
        Job
            Its result says how many grades there are, and why the work ended early.
        """
        return self._asked(name, "work", options)

    def continue_model(self, name: str, **options: Any) -> Job:
        """Continue what was paused, stopped by its budget, or not answered.

        Parameters
        ----------
        name : str
            The judge.
        **options
            Prices, budget and pace, which replace those of before; what is missing is as usual.

        Returns
        -------
        Job
            Its result says how many grades there are, and why the work ended early.
        """
        return self._asked(name, "continue", options)

    def model_answers(self, name: str) -> list[Row]:
        """All answers of a judge, each with its record and the raw answer.

        Parameters
        ----------
        name : str
            The judge.

        Returns
        -------
        list of dict
            In the order in which they were saved.
        """
        text = self._connection.send("GET", self._path("model-judges", name, "answers")).text
        return [json.loads(line) for line in text.splitlines()]

    def write_model_batch(
        self,
        name: str,
        folder: str | Path = ".",
        *,
        seed: int | None = None,
        price_input: float = 0,
        price_output: float = 0,
    ) -> list[Path]:
        """Write the requests of all documents without an answer to batch files of OpenAI's contract.

        A vendor answers such files within a day, for less. The host of the judge must be confirmed, because the files
        have the documents. The site records the export.

        Parameters
        ----------
        name : str
            The judge, which is one of chat completions.
        folder : str or Path
            Where ``batch-1.jsonl`` and so on are written, each with at most 50,000 requests and 200 MB. The folder must
            exist, and must not have one of the files.
        seed : int, optional
            Draws the order of the requests; None takes the seed of the collection.
        price_input, price_output : float
            The prices of a million tokens, by which the site says what the answers cost.

        Returns
        -------
        list of Path
            The files.

        Raises
        ------
        SiteError
            If the judge is of another kind, its host is not confirmed, or nothing is left to ask for.
        FileExistsError
            If the folder has one of the files.

        Examples
        --------
        >>> collection.write_model_batch("gpt", "files")  # doctest: +SKIP
        [PosixPath('files/batch-1.jsonl')]
        """
        from pooling.models.batch import write_lines

        first = Path(folder, "batch-1.jsonl")
        if first.exists():
            raise FileExistsError(f"{first} exists already. Choose another folder, or delete the file.")
        query = {"seed": seed, "price_input": price_input, "price_output": price_output}
        lines = self._connection.raw_lines(self._path("model-judges", name, "batch"), timeout=POOL_TIMEOUT, **query)
        return write_lines((line + b"\n" for line in lines), Path(folder))

    def read_model_batch(self, name: str, path: str | Path) -> Row:
        """Send the answers of a batch file to the site. It saves each new one with its judgement.

        The same file again changes nothing. A file of more than 8 MB is sent in parts of whole lines: a line that is
        refused leaves its part and the later ones unread.

        Parameters
        ----------
        name : str
            The judge whose requests were written.
        path : str or Path
            The vendor's file of answers, or of errors, in any order.

        Returns
        -------
        dict
            The numbers of answers: ``read``, ``new``, ``known`` (saved before) and ``without_grade``; and ``missing``,
            how many documents have no answer yet.

        Raises
        ------
        SiteError
            If a line has another form, or its key belongs to no document of the pool or occurs twice. The sentence
            names the line.

        Examples
        --------
        >>> collection.read_model_batch("gpt", "answers.jsonl")  # doctest: +SKIP
        {'read': 9, 'new': 9, 'known': 0, 'without_grade': 1, 'missing': 0}
        """
        address = self._path("model-judges", name, "batch", "answers")
        total: Row = dict.fromkeys(("read", "new", "known", "without_grade", "missing"), 0)
        for first, part in _parts(Path(path)):
            found = self._read_part(address, part, first)
            total = {key: found[key] + (0 if key == "missing" else number) for key, number in total.items()}
        return total

    def _read_part(self, address: str, part: bytes, first: int) -> Row:
        """Send a part of a file whose first line has this number."""
        try:
            sent = self._connection.send("POST", address, content=part, is_repeatable=True, timeout=POOL_TIMEOUT)
        except SiteError as error:
            if first == 1:
                raise
            sentence = f"In the part of the file from line {first:,} on: {error.sentence}"
            raise SiteError(sentence, error.status, error.problem) from None
        row: Row = sent.json()
        return row

    def model_checks(self, name: str) -> Row:
        """How far a judge agrees with itself when the same sample is asked for again, and what changed meanwhile.

        Parameters
        ----------
        name : str
            The judge.

        Returns
        -------
        dict
            ``answer`` and ``change`` as sentences, empty without repeats; the rows ``askings``, ``figures`` and
            ``ranking``; and ``notes``.
        """
        row: Row = self._get("model-judges", name, "checks")
        return row

    def model_rules(self) -> Row:
        """The rules on models.

        Returns
        -------
        dict
            ``keep_documents``, ``show_early``, and ``hosts`` to which documents may be sent.
        """
        return dict(self._get("model-rules"))

    def change_model_rules(self, *, keep_documents: bool | None = None, show_early: bool | None = None) -> Row:
        """Change the rules on models. Only an owner may.

        Parameters
        ----------
        keep_documents : bool, optional
            Whether documents stay on the site, and none is sent to a model. None leaves the rule as it is.
        show_early : bool, optional
            Whether people and models may see grades of each other before both have finished: models that are made from
            grades of people, and open adjudications. None leaves the rule as it is.

        Returns
        -------
        dict
            The rules that hold now, as `model_rules` returns them.
        """
        body = {"keep_documents": keep_documents, "show_early": show_early}
        return dict(self._connection.post(self._path("model-rules"), body))

    def model_policy(self) -> Row | None:
        """The policy by which grades of a model count; None if no model counts."""
        found: Row | None = self._get("model-policy")["policy"]
        return found

    def decide_model_policy(
        self,
        judge: str,
        *,
        unsure_below: float | None = None,
        top: int | None = None,
        per_topic: int | None = None,
        judges: int = 1,
        seed: int | None = None,
    ) -> Row:
        """Assign documents to people, and let the grades of a model count for the rest. Only an owner may.

        People get the documents without a grade of the model, and those that the other parameters name: at least one of
        ``unsure_below``, ``top`` and ``per_topic``. The policy takes the place of the former one.

        Parameters
        ----------
        judge : str
            The model judge, which has judged.
        unsure_below : float, optional
            People judge where the probability of the model's grade is lower, from 0 to 1.
        top : int, optional
            People judge what a run has in its first ``top`` ranks.
        per_topic : int, optional
            People judge a random sample of so many documents of each topic.
        judges : int
            How many people judge each of these documents.
        seed : int, optional
            The seed of the sample.

        Returns
        -------
        dict
            The policy.
        """
        limits = {"unsure_below": unsure_below, "top": top, "per_topic": per_topic}
        body = {"judge": judge, **limits, "judges": judges, "seed": seed}
        return dict(self._connection.post(self._path("model-policy"), body)["policy"])

    def end_model_policy(self) -> None:
        """End the policy: no grade of a model counts. Assignments stay. Only an owner may."""
        self._connection.send("DELETE", self._path("model-policy"))

    def _asked(self, name: str, action: str, options: Row) -> Job:
        started = self._connection.post(self._path("model-judges", name, action), dict(options))
        return Job(self._connection, self.slug, started)


def _parts(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield a file in parts of whole lines that the site accepts, each with the number of its first line."""
    first, lines, size = 1, list[bytes](), 0
    with path.open("rb") as file:
        for line in file:
            if lines and size + len(line) > CHUNK:
                yield first, b"".join(lines)
                first, lines, size = first + len(lines), [], 0
            lines.append(line)
            size += len(line)
    yield first, b"".join(lines)
