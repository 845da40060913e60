// The words and patterns that the project does not use, with a reason and what to write instead.
// check-words.ts finds them in comments, strings, test titles and pages.

/** A word or a pattern to avoid. */
export interface WordRule {
  readonly name: string
  /** Matched case-insensitively in prose; white space matches line ends, too. */
  readonly pattern: RegExp
  readonly reason: string
  readonly suggestion: string
}

const OLD = 'archaic'
const VAGUE = 'does not say who or what is meant'
const PERSON = 'a program is not a person'
const TERM = 'another word is the standard term'

const rule = (name: string, pattern: RegExp, reason: string, suggestion: string): WordRule => ({
  name,
  pattern: new RegExp(pattern.source.replaceAll(' ', String.raw`\s+`), 'gi'),
  reason,
  suggestion,
})

export const WORD_RULES: readonly WordRule[] = [
  rule('whoever', /\bwho(?:m|se)?ever\b/, VAGUE, 'the user, caller, client or owner who …; anyone who …'),
  rule(
    'nobody',
    /\bnobody(?:'s|’s)?\b/,
    VAGUE,
    'name who is meant: no account, no client, no reader; or use the passive',
  ),
  rule('somebody', /\b(?:some|any)body(?:'s|’s)?\b/, VAGUE, 'a user, another account, a client, anyone'),
  rule(
    'what is … as a subject',
    /(?<=^|[.;!—] |¶\s*)what (?:is|was|are|were|has|had) (?![^.;:¶]*\?)/,
    'reads like a riddle',
    'name the thing: "Deleted pages …"',
  ),
  rule(
    'who … as a noun',
    /\b(?:by|for|to|of|from|with|than) who\b(?!\s+(?:it|they|he|she|we|you)\b)/,
    VAGUE,
    'the payer, the caller, the person who …',
  ),
  rule(
    'Who … as a subject',
    /(?<=^|[.;!—] |¶\s*)who [a-z]+(?:s|ed)? (?![^.;:¶]*\?)/,
    VAGUE,
    'The caller …, A client that …',
  ),
  rule(
    'unless told',
    /\b(?:unless|until|if not) (?:it (?:is|was) )?told\b/,
    'a default is stated as a default',
    'Default: …',
  ),
  rule(
    'stands',
    /\b(?:stands?|stood|standing)\b(?! (?:in )?for\b|-in|alone\b)/,
    'vague',
    'is, applies, remains valid, is stored',
  ),
  rule(
    'behind',
    /\b(?<!go )behind (?!(?:a|an|the|its|their|one|this|that|your) (?:[a-z-]+ )?(?:prox|gate|load|pooler|firewall|paywall|tunnel|prefix|payment|login|driver|interface|listener|nat\b|flag)|proxies|prox)/,
    '"behind" is a place, not a time or an order',
    'after, following, at the end of, later than',
  ),
  rule('leads on', /\blead(?:s|ing)? on\b/, 'not idiomatic', 'redirects to'),
  rule('of its own', /\bof (?:its|their|his|her|our|one's) own\b/, 'wordy', 'its own …, separate, dedicated, custom'),
  rule('for ever', /\bfor ever\b/, OLD, 'forever, permanently, without an end'),
  rule('anew', /\banew\b/, OLD, 'again; re-encode, recreate'),
  rule('at once', /\bat once\b/, 'ambiguous', 'immediately; or concurrently, at the same time'),
  rule(
    'is no X',
    /(?<!\bthere )\b(?:is|are|was|were|be) no (?!longer\b|fewer\b|less\b|different\b|other\b|better\b|later\b|earlier\b|larger\b|more\b|way\b)[a-z]/,
    'not idiomatic',
    'is not a …',
  ),
  rule('is … no more', /\bno more\b(?! (?:than|[a-z]+s\b))/, OLD, 'no longer'),
  rule('hears', /\b(?:hears?|heard|hearing)\b/, PERSON, 'receives, is notified of'),
  rule(
    'tells',
    /\b(?:tell|tells|told|telling)\b(?! apart)/,
    PERSON,
    'returns, reports, states, notifies, emits; "tell apart" is fine',
  ),
  rule('forgives', /\bforgiv(?:e|es|en|ing)\b|\bforgave\b/, PERSON, 'accepts, tolerates, ignores'),
  rule('remembers', /\bremember(?:s|ed|ing)?\b/, PERSON, 'stores, caches, keeps, records'),
  rule('believes', /\bbeliev(?:e|es|ed|ing)\b/, PERSON, 'accepts, trusts, verifies'),
  rule('mail for email', /(?<![./@-])\bmails?\b(?! (?:server|client|transfer|exchanger))(?![./:=@-])/, TERM, 'email'),
  rule('stranger', /\bstrangers?\b/, TERM, 'anonymous visitor, other account'),
  rule(
    'answers with a status',
    /\banswer(?:s|ed|ing)? (?:(?:[a-z]+ ){0,3}with )?(?:an? )?[1-5]\d\d\b/,
    TERM,
    'returns 404, responds with 404; "answer a 402" is fine',
  ),
  rule('says', /\bsays\b/, PERSON, 'states, shows, contains, reports, describes'),
  rule('form of the page', /\bforms? of (?:the|a) pages?\b/, VAGUE, 'the HTML form'),
  rule('mend', /\bmend(?:s|ed|ing)?\b/, OLD, 'fix, repair'),
  rule('a store of blobs', /\bstores? of blobs\b/, TERM, 'blob store'),
  rule(
    'renamed terms',
    /\b(?:letterhead|teller|settler|biller|till|departures?|retier(?:s|ed)?|likeness|a walk)\b/,
    TERM,
    'see the glossary',
  ),
]

/** A place where a word is right, with the reason. `text` is a part of the line. */
export interface WordException {
  readonly file: string
  readonly text: string
  readonly reason: string
}

export const WORD_EXCEPTIONS: readonly WordException[] = [
  {
    file: 'packages/core/src/modules/publishing/content/default-categories.ts',
    text: "'Who ",
    reason: 'a suggested text of a page',
  },
  { file: 'packages/core/src/modules/profiles/profiles/username.ts', text: 'mail', reason: 'reserved usernames' },
  { file: 'packages/core/src/modules/profiles/profiles/username.ts', text: 'nobody', reason: 'reserved usernames' },
  { file: 'packages/core/src/http/system.routes.ts', text: 'billing, mail', reason: 'the name of a part' },
  { file: 'packages/client/src/schema.ts', text: 'billing, mail', reason: 'the name of a part' },
  {
    file: 'packages/core/src/host/variables/mail.ts',
    text: 'directory mail',
    reason: 'the name of a directory',
  },
  { file: 'packages/host-example/src/seed-content.ts', text: 'says', reason: 'the text of the demo profile' },
  { file: 'packages/core/src/testing/storage/purge-life.ts', text: 'So says', reason: 'the text of a comment' },
  { file: 'packages/payments-card/src/billing-subscription.ts', text: 'GIVE_BACK', reason: 'stored at Stripe' },
  { file: 'packages/host-example/src/team-pages.ts', text: 'tell', reason: 'a function of the script in the page' },
]

/** What is found in code too, and in files of other kinds, such as those that people copy. */
export const COMMAND_RULES: readonly WordRule[] = [
  rule(
    'a package by the name of a command',
    /\b(?:npx|npm exec|pnpm dlx|yarn dlx|bunx) (?:-\S+ )*(?<!--no-install )eep(?:-postgres)?(?![\w@-])/,
    'npm has packages of other owners under that name',
    'npm run eep -- …, or npx --no-install …, which runs the command of an installed package',
  ),
]

/** Files that are not checked, with the reason. */
export const UNCHECKED: ReadonlyMap<RegExp, string> = new Map([
  [/^CODE_OF_CONDUCT\.md$/, 'quoted from the Contributor Covenant'],
  [/^scripts\/words\.ts$/, 'names the words'],
  [/\.snap$/, 'recorded output'],
])
