/**
 * Types shared by the judging page's modules.
 *
 * Entries of the outbox are stored in the browser's database. An entry may have been written by an earlier release, so
 * the names of its fields must not change.
 *
 * @typedef {[number, number]} Span [start, end) in characters (Unicode code points)
 *
 * @typedef {object} Card One document to judge, as the server sends it.
 * @property {string} task the assignment's public id
 * @property {string} doc_id empty where the collection hides doc_ids
 * @property {string} title
 * @property {Record<string, unknown>} metadata
 * @property {string} format "text" or "html"
 * @property {string | null} text null where the text is missing or is fetched separately
 * @property {boolean} lacking the text has not been imported
 * @property {boolean} [empty] the text has no words
 * @property {boolean} apart the text is fetched separately
 * @property {string | null} snippet shown until the assessor asks for the full text
 * @property {string} state
 * @property {number} version number of events on this task
 * @property {number | null} relevance
 * @property {string} reason
 * @property {string} comment
 * @property {number | null} confidence
 * @property {Span[]} passages
 * @property {string} note shown above the document; empty for a regular judgement
 * @property {{token: string, text: string}} [suggestion] the grade of a model; absent without one
 * @property {{active: number, away: number}} [spent] set by the page: time spent on it earlier, in ms
 * @property {boolean} [returned] the assessor postponed it before
 * @property {boolean} [replaced] the assessor judged a former text of it
 * @property {CardTopic | null} [topic] its topic, if the page has documents of several
 * @property {string} [document] a key of the document, if the page asks what is new
 * @property {string} [marginal] set by the page: whether it adds something new
 * @property {string[]} [repeats] set by the page: the tasks that it repeats
 * @property {string} [stateBefore] set by the page: the state that the judgement replaced
 * @property {boolean} [hasDraft] set by the page: it has an unsaved comment
 *
 * @typedef {{task: string, document: string, title: string, beginning: string}} ListedDocument
 *
 * @typedef {{documents: ListedDocument[], older: number}} RelevantDocuments the latest relevant documents of a topic,
 *   the first judged first, and the number of older ones
 *
 * @typedef {{pk: number, query_id: string, title: string, description: string, narrative: string}} CardTopic
 *
 * @typedef {object} Judgement What the assessor decided about a document.
 * @property {string} state "judged", "cannot_judge", "later" or "undone"
 * @property {number | null} [relevance]
 * @property {string} [reason]
 * @property {string} [comment]
 * @property {number | null} [confidence]
 * @property {Span[]} [passages]
 * @property {string} [marginal] "new", "partly" or "nothing"
 * @property {string[]} [repeats] the tasks of the documents that it repeats
 * @property {number} [active_ms]
 * @property {number} [away_ms]
 * @property {boolean} [highlights]
 *
 * @typedef {Judgement & {client_id: string, member: number, seen_version: number,
 *   suggestion?: string, guidelines_version: number | null, input: string}} Fields The form fields of one request.
 *
 * @typedef {object} Entry A judgement that waits in the browser until the server has saved it.
 * @property {number | string} [id] key in the store; a string if the entry is in memory only
 * @property {number} user
 * @property {string} address where the judgement is posted to
 * @property {string} topic the topic's address, which identifies it
 * @property {string} task
 * @property {Card} card
 * @property {Fields} fields
 *
 * @typedef {object} Progress
 * @property {number} done
 * @property {number} left
 * @property {number} total
 * @property {number} later
 * @property {number} to_claim
 *
 * @typedef {{title: string, address: string}} PreviousJudgement the last judgement in another topic
 *
 * @typedef {object} Receipt The server's answer to a judgement that it saved.
 * @property {string} state
 * @property {number | null} relevance
 * @property {number} version
 * @property {{state: string, relevance: number | null} | null} overwrote
 * @property {string[]} [by_group] the tasks of near-duplicates to which it applied too, or for which it was undone too
 * @property {Card | null} last
 * @property {PreviousJudgement | null} before
 * @property {Progress} topic
 *
 * @typedef {object} Refusal The server's answer to a judgement that it will never save.
 * @property {string} error one sentence
 * @property {boolean} [drop] nobody may judge the task any more
 * @property {Progress} [topic]
 *
 * @typedef {"offline" | "trouble" | "paused" | "closed" | "signed-out" | "somebody-else"} Wait
 *   why something cannot be sent or loaded now
 *
 * @typedef {object} PageData What the server gives to the page's script.
 * @property {Card[]} cards
 * @property {Card | null} last
 * @property {PreviousJudgement | null} before
 * @property {{all: Progress, topics: Record<string, Progress>}} progress the topics by their address `next`
 * @property {number} topic
 * @property {boolean} continuous
 * @property {number[] | null} pace
 * @property {string} back where to go after one document was judged again, or ""
 * @property {number[]} grades
 * @property {Record<string, number>} letters
 * @property {string} query
 * @property {number} member
 * @property {number} user
 * @property {string} userName
 * @property {number | null} claimMinutes null where documents are not claimed
 * @property {number} minVisibleMs
 * @property {boolean} askConfidence
 * @property {string} passages "off", "optional" or "required"
 * @property {Record<string, RelevantDocuments> | null} marginal the assessor's relevant documents by topic; null if the
 *   page does not ask what is new
 * @property {number | null} guidelinesVersion
 * @property {{keysOn: boolean, keys: Record<string, string>, highlightsOn: boolean}} preferences
 * @property {Addresses} addresses
 * @property {string} nowhere placeholder for the task in an address
 *
 * @typedef {{record: string, document: string, next: string, relevant: string, topic: string,
 *   signIn: string}} Addresses
 */

export {};
