/** The sign-in page for tokens. `problem` is one of our own texts, never input. */
export function signInPage(problem: string | null): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>Queues of Tidegate</title>
<style>
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 26rem; margin: 15vh auto; padding: 0 1rem; color: #1c2733; }
  input, button { font: inherit; width: 100%; padding: .6rem; box-sizing: border-box; margin-top: .4rem; }
  [role=alert] { color: #a01818; }
</style>
<h1>Queues of Tidegate</h1>
${problem === null ? '' : `<p role="alert">${problem}</p>`}
<form method="post" action="/board/sign-in" autocomplete="off">
  <label>Operator token <input type="password" name="token" required autofocus></label>
  <button>Sign in</button>
</form>
<p>You stay signed in for half an hour. Admins may change queues, others look at them.</p>
</html>
`;
}
