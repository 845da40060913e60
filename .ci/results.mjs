// Reads the JSON results of one run of the tests, and of a second run of the files that failed.
//   node .ci/results.mjs failed FIRST           prints the failed files, one a line
//   node .ci/results.mjs count FIRST [SECOND]   names what passed only in the second run, and prints "N passed, M failed"
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

const [command, ...paths] = process.argv.slice(2)
const [first, second] = paths.map((path) => {
  const text = readFileSync(path, 'utf8')
  return text ? JSON.parse(text).testResults : []
})
const failed = (results) => results.filter(({ status }) => status === 'failed')

if (command === 'failed') {
  for (const name of new Set(failed(first).map(({ name }) => name))) console.log(relative(process.cwd(), name))
} else {
  const again = new Set(second?.map(({ name }) => name))
  const stillFailed = new Set(failed(second ?? []).map(({ name }) => name))
  const flaky = failed(first).filter(({ name }) => again.has(name) && !stillFailed.has(name))
  if (flaky.length) console.log('These tests failed once and passed when their files were run again:')
  for (const { name, message, assertionResults } of flaky) {
    const tests = assertionResults.filter(({ status }) => status === 'failed')
    if (!tests.length) console.log(`  ${relative(process.cwd(), name)}: ${message}`)
    for (const { fullName, failureMessages } of tests) {
      console.log(`  ${relative(process.cwd(), name)}: ${fullName}\n    ${failureMessages[0]?.split('\n', 1)[0]}`)
    }
  }
  const counted = [...first.filter(({ name }) => !again.has(name)), ...(second ?? [])]
  const states = counted.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status))
  const count = (state) => states.filter((each) => each === state).length
  // A file may fail outside of its tests, and a check beside the tests.
  const failures = Math.max(count('failed'), failed(counted).length, process.env.FAILED === 'yes' ? 1 : 0)
  console.log(`${count('passed')} passed, ${failures} failed`)
}
