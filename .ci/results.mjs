// Reads the JSON results of a run of the tests from a folder: a file `first-…` for each kind, and `again` of the files that failed.
//   node .ci/results.mjs failed FOLDER   prints the failed files, one a line
//   node .ci/results.mjs count FOLDER    names the tests that failed, and whether they passed in the second run, and prints "N passed, M failed"
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const [command, folder] = process.argv.slice(2)
const resultsOf = (start) =>
  readdirSync(folder)
    .filter((name) => name.startsWith(start))
    .flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).testResults)
const [first, second] = [resultsOf('first-'), resultsOf('again')]
const failed = (results) => results.filter(({ status }) => status === 'failed')

function nameFailures(title, files) {
  if (files.length) console.log(title)
  for (const { name, message, assertionResults } of files) {
    const tests = assertionResults.filter(({ status }) => status === 'failed')
    if (!tests.length) console.log(`  ${relative(process.cwd(), name)}: ${message}`)
    for (const { fullName, failureMessages } of tests) {
      console.log(`  ${relative(process.cwd(), name)}: ${fullName}\n    ${failureMessages[0]?.split('\n', 1)[0]}`)
    }
  }
}

if (command === 'failed') {
  for (const name of new Set(failed(first).map(({ name }) => name))) console.log(relative(process.cwd(), name))
} else {
  const again = new Set(second.map(({ name }) => name))
  const stillFailed = new Set(failed(second).map(({ name }) => name))
  const flaky = failed(first).filter(({ name }) => again.has(name) && !stillFailed.has(name))
  nameFailures('These tests failed once and passed when their files were run again:', flaky)
  const counted = [...first.filter(({ name }) => !again.has(name)), ...second]
  nameFailures('These tests failed:', failed(counted))
  const states = counted.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status))
  const count = (state) => states.filter((each) => each === state).length
  // A file may fail outside of its tests, and a check beside the tests.
  const failures = Math.max(count('failed'), failed(counted).length, process.env.FAILED === 'yes' ? 1 : 0)
  console.log(`${count('passed')} passed, ${failures} failed`)
}
