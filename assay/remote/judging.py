"""Judging with the token of an assessor, who sees what the judging page shows."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid4

from assay.remote.lists import Row
from assay.remote.part import Part


class Judging(Part):
    """An assessor's topics and documents."""

    def judging_topics(self) -> list[Row]:
        """The assessor's topics.

        Returns
        -------
        list of dict
            ``id``, ``query_id``, ``title``, ``description``, ``narrative`` and ``progress``.
        """
        return list(self._get("judging", "topics"))

    def tasks(self, topic: str | Mapping[str, Any], limit: int = 5) -> list[Row]:
        """The next documents of a topic. With claims, asking for them claims them for a while.

        Parameters
        ----------
        topic : str or dict
            A query_id, or a topic of `judging_topics`.
        limit : int
            How many documents, at most 20.

        Returns
        -------
        list of dict
            ``task``, which names the document when it is judged, ``doc_id``, ``title``, ``text`` and more. Empty if
            the topic is finished.

        Raises
        ------
        KeyError
            The assessor has no such topic.
        """
        topic_id = topic["id"] if isinstance(topic, Mapping) else self._topic_id(topic)
        return list(self._get("judging", "topics", topic_id, "tasks", limit=limit))

    def judge(
        self,
        task: str | Mapping[str, Any],
        grade: int | None,
        *,
        client_id: UUID | str | None = None,
        reason: str = "",
        comment: str = "",
        **more: Any,
    ) -> Row:
        """Record a judgement. It is saved when this returns.

        Parameters
        ----------
        task : str or dict
            A task of `tasks`, or its ``task``.
        grade : int or None
            A grade of the scale. None if the document cannot be judged; this needs a reason.
        client_id : UUID or str, optional
            Names this judgement: the same call again changes nothing. By default a new one, which is used for all
            attempts of this call.
        reason : str
            Why the document cannot be judged, such as "language".
        comment : str
            A comment.
        **more
            Other fields of the API, such as confidence and passages.

        Returns
        -------
        dict
            The event of the ledger: ``state``, ``relevance``, ``version``, ``position`` and ``hash``.

        Raises
        ------
        SiteError
            The site refuses the judgement. The status is 409 if the client id was used for another one.
        """
        name = task["task"] if isinstance(task, Mapping) else task
        state = "cannot_judge" if grade is None else "judged"
        body = {"state": state, "relevance": grade, "reason": reason, "comment": comment, **more}
        body["client_id"] = str(client_id or uuid4())
        return dict(self._connection.post(self._path("judging", "tasks", name), body, is_repeatable=True))

    def _topic_id(self, query_id: str) -> int:
        topics = {each["query_id"]: each["id"] for each in self.judging_topics()}
        if query_id not in topics:
            raise KeyError(f"You have no topic {query_id!r} to judge. You have {', '.join(topics) or 'none'}.")
        return int(topics[query_id])
