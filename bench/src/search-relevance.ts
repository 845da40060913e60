/** A text with a title, by which queries name it. */
interface Document {
  readonly title: string
  readonly body: string
}

interface Query {
  readonly q: string
  /** 2 for what answers the query, 1 for what is about its subject; others are 0. */
  readonly grades: Readonly<Record<string, 1 | 2>>
}

const documents: readonly Document[] = [
  {
    title: 'Brewing coffee by hand',
    body: 'Pour hot water slowly over ground coffee in a paper filter. A medium grind and water just below boiling give a clean cup.',
  },
  {
    title: 'Choosing a coffee grinder',
    body: 'Burr grinders crush beans evenly. Blades cut them into pieces of many sizes, and the coffee tastes bitter and sour together.',
  },
  {
    title: 'Storing roasted beans',
    body: 'Keep roasted coffee beans in an airtight tin, away from light. They lose their aroma within weeks; freezing slows that.',
  },
  {
    title: 'Making green tea',
    body: 'Green tea turns bitter in boiling water. Let the kettle cool to eighty degrees and steep the leaves for two minutes.',
  },
  {
    title: 'Baking sourdough bread',
    body: 'Feed the starter, mix flour, water and salt, fold the dough every half hour and bake the loaf in a hot iron pot.',
  },
  {
    title: 'Keeping a sourdough starter',
    body: 'A starter lives on flour and water. In the fridge it needs feeding once a week; at room temperature each day.',
  },
  {
    title: 'Repairing a flat bicycle tyre',
    body: 'Take off the wheel, lever the tyre from the rim, find the hole in the inner tube under water and glue a patch on it.',
  },
  {
    title: 'Adjusting bicycle brakes',
    body: 'Turn the barrel adjuster until the pads are a millimetre from the rim. Replace worn brake pads in pairs.',
  },
  {
    title: 'Cleaning a bicycle chain',
    body: 'Wipe the chain with a rag, brush off the dirt with degreaser, let it dry and put a drop of oil on each link.',
  },
  {
    title: 'Commuting by bicycle in winter',
    body: 'Studded tyres grip on ice. Lights, mudguards and warm gloves make riding to work in the snow pleasant.',
  },
  {
    title: 'Backups of a PostgreSQL database',
    body: 'pg_dump writes one consistent copy of a database. For recovery to any moment archive the write-ahead log as well.',
  },
  {
    title: 'Indexes in relational databases',
    body: 'An index lets a query find rows without reading the whole table. Each index makes writes slower and takes disk space.',
  },
  {
    title: 'Restoring a database after a crash',
    body: 'Stop the server, copy the last backup into place and replay the write-ahead log up to the moment before the failure.',
  },
  {
    title: 'Tuning slow queries',
    body: 'EXPLAIN ANALYZE shows where the time of a query goes: a missing index, a bad estimate or too many rows.',
  },
  {
    title: 'Full-text search with stemming',
    body: 'Stemming reduces words to their roots, so that searching for running also finds runs. Rank hits by how often words occur.',
  },
  {
    title: 'Planting tomatoes',
    body: 'Plant tomato seedlings after the last frost, deep in rich soil, tie them to stakes and water them at the roots.',
  },
  {
    title: 'Why tomato leaves turn yellow',
    body: 'Yellow leaves on tomatoes point to too much water, too little nitrogen, or a disease such as early blight.',
  },
  {
    title: 'Composting kitchen waste',
    body: 'Mix green kitchen scraps with brown leaves, keep the heap moist and turn it monthly. Compost is ready within a year.',
  },
  {
    title: 'Pruning apple trees',
    body: 'Prune apple trees in late winter. Remove dead and crossing branches so that light reaches the fruit.',
  },
  {
    title: 'Attracting bees to a garden',
    body: 'Bees visit lavender, thyme and clover. Leave some bare soil and hollow stems in which wild bees nest.',
  },
  {
    title: 'The phases of the moon',
    body: 'The moon takes about twenty-nine and a half days from new moon to new moon. Its light is reflected sunlight.',
  },
  {
    title: 'Observing planets with a small telescope',
    body: 'A small telescope shows the rings of Saturn, four moons of Jupiter and the phases of Venus on clear nights.',
  },
  {
    title: 'Solar and lunar eclipses',
    body: 'In a solar eclipse the moon covers the sun. In a lunar eclipse the shadow of the earth falls on the moon.',
  },
  {
    title: 'Learning to swim as an adult',
    body: 'Begin with breathing out under water and floating. Lessons in small groups help adults to lose their fear.',
  },
  {
    title: 'Front crawl technique',
    body: 'In front crawl the body lies flat, the legs kick lightly and the head turns to the side to breathe every third stroke.',
  },
  {
    title: 'Running a first marathon',
    body: 'Increase the weekly distance slowly for four months, with one long run a week, and rest in the last two weeks.',
  },
  {
    title: 'Stretching after running',
    body: 'Stretch calves, thighs and hips for half a minute each after running, when muscles are warm.',
  },
  {
    title: 'Writing a clear contract',
    body: 'A contract names the parties, the work, the price and the dates. Short sentences prevent quarrels about meaning.',
  },
  {
    title: 'Sending invoices as a freelancer',
    body: 'An invoice needs a number, a date, the tax rate and the terms of payment. Remind clients politely when it is overdue.',
  },
  {
    title: 'Pricing freelance work',
    body: 'Estimate the hours, add time for meetings and revisions, and quote a price for the project instead of a rate by the hour.',
  },
]

const queries: readonly Query[] = [
  { q: 'coffee grinder', grades: { 'Choosing a coffee grinder': 2, 'Brewing coffee by hand': 1 } },
  { q: 'brew coffee', grades: { 'Brewing coffee by hand': 2 } },
  { q: 'coffee beans', grades: { 'Storing roasted beans': 2, 'Choosing a coffee grinder': 1 } },
  { q: 'bitter', grades: { 'Making green tea': 2, 'Choosing a coffee grinder': 2 } },
  { q: 'sourdough', grades: { 'Baking sourdough bread': 2, 'Keeping a sourdough starter': 2 } },
  { q: 'feeding a starter', grades: { 'Keeping a sourdough starter': 2, 'Baking sourdough bread': 1 } },
  { q: 'repair bicycle tyres', grades: { 'Repairing a flat bicycle tyre': 2 } },
  {
    q: 'bicycle',
    grades: {
      'Repairing a flat bicycle tyre': 2,
      'Adjusting bicycle brakes': 2,
      'Cleaning a bicycle chain': 2,
      'Commuting by bicycle in winter': 2,
    },
  },
  { q: 'brake pads', grades: { 'Adjusting bicycle brakes': 2 } },
  { q: 'riding in snow OR ice', grades: { 'Commuting by bicycle in winter': 2 } },
  { q: 'database backup', grades: { 'Backups of a PostgreSQL database': 2, 'Restoring a database after a crash': 2 } },
  {
    q: 'restore databases',
    grades: { 'Restoring a database after a crash': 2, 'Backups of a PostgreSQL database': 1 },
  },
  { q: 'slow query', grades: { 'Tuning slow queries': 2, 'Indexes in relational databases': 1 } },
  { q: 'index', grades: { 'Indexes in relational databases': 2, 'Tuning slow queries': 1 } },
  { q: 'tomato leaves', grades: { 'Why tomato leaves turn yellow': 2 } },
  { q: 'planting tomatoes', grades: { 'Planting tomatoes': 2, 'Why tomato leaves turn yellow': 1 } },
  { q: 'prune trees', grades: { 'Pruning apple trees': 2 } },
  {
    q: 'moon',
    grades: {
      'The phases of the moon': 2,
      'Solar and lunar eclipses': 2,
      'Observing planets with a small telescope': 1,
    },
  },
  { q: 'lunar eclipse', grades: { 'Solar and lunar eclipses': 2, 'The phases of the moon': 1 } },
  { q: 'telescope', grades: { 'Observing planets with a small telescope': 2 } },
  { q: 'swimming lessons', grades: { 'Learning to swim as an adult': 2, 'Front crawl technique': 1 } },
  { q: 'breathing', grades: { 'Learning to swim as an adult': 2, 'Front crawl technique': 2 } },
  { q: 'long run', grades: { 'Running a first marathon': 2, 'Stretching after running': 1 } },
  { q: 'freelance invoices', grades: { 'Sending invoices as a freelancer': 2, 'Pricing freelance work': 1 } },
  { q: 'fix a puncture', grades: { 'Repairing a flat bicycle tyre': 2 } },
  { q: 'getting money from customers', grades: { 'Sending invoices as a freelancer': 2, 'Pricing freelance work': 1 } },
]

/**
 * A small collection with known answers, written for this measurement. It does not change, so that results of releases can be compared;
 * the last queries have no word in common with their answers.
 */
export const RELEVANCE = { documents, queries } as const

const DEPTH = 10
const gain = (grade: number, index: number) => (2 ** grade - 1) / Math.log2(index + 2)
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** The mean nDCG@10 of the queries: 1 when each has its best hits first. */
export async function meanNdcg(search: (q: string) => Promise<readonly string[]>): Promise<number> {
  const values: number[] = []
  for (const { q, grades } of queries) {
    const titles = (await search(q)).slice(0, DEPTH)
    const best = Object.values(grades).toSorted((one, other) => other - one)
    values.push(
      sum(titles.map((title, index) => gain(grades[title] ?? 0, index))) / sum(best.slice(0, DEPTH).map(gain)),
    )
  }
  return sum(values) / values.length
}
