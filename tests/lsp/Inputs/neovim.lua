-- Part of einc, under the Apache License v2.0 with LLVM Exceptions.
-- See LICENSE for license information.
-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

-- nvim --headless -u NONE -l has no `-l` in 0.7: it is run by `-S`. Says on the
-- standard output what einc lsp answers when Neovim's client asks it.
local function say(...)
  io.stdout:write(table.concat({...}, " ") .. "\n")
end

-- Milliseconds to wait for an answer: however busy the machine is.
local patience = 600000

local function main()
  vim.cmd("edit " .. vim.fn.fnameescape(os.getenv("EIN_FILE")))
  local buffer = vim.api.nvim_get_current_buf()
  local published = 0
  local handlers = {
    ["textDocument/publishDiagnostics"] = function(...)
      published = published + 1
      return vim.lsp.diagnostic.on_publish_diagnostics(...)
    end,
  }
  local status
  local id = vim.lsp.start_client({
    name = "einc",
    cmd = {"einc", "lsp"},
    root_dir = vim.fn.getcwd(),
    handlers = handlers,
    on_exit = function(code) status = code end,
  })
  assert(id, "the server does not start")
  assert(vim.lsp.buf_attach_client(buffer, id), "the buffer is not attached")
  local client = vim.lsp.get_client_by_id(id)

  local function wait(what, condition)
    assert(vim.wait(patience, condition, 10), "no " .. what .. " came")
  end
  local function request(method, params)
    local answer = client.request_sync(method, params, patience, buffer)
    assert(answer, method .. " is not answered")
    assert(not answer.err, vim.inspect(answer.err))
    return answer.result
  end
  local function at(line, column)
    vim.api.nvim_win_set_cursor(0, {line, column})
    return vim.lsp.util.make_position_params(0, client.offset_encoding)
  end
  local function show(title)
    local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
    for i, line in ipairs(lines) do say(title, i, line) end
  end

  wait("diagnostics", function() return published == 1 end)
  for _, diagnostic in ipairs(vim.diagnostic.get(buffer)) do
    say("diagnostic", diagnostic.lnum, diagnostic.col, diagnostic.code,
        diagnostic.message)
  end

  -- The fix-it, as the editor makes it.
  local range = {start = {line = 1, character = 2}, ["end"] = {line = 1, character = 30}}
  local actions = request("textDocument/codeAction", {
    textDocument = {uri = vim.uri_from_bufnr(buffer)},
    range = range,
    context = {diagnostics = {}},
  })
  for _, action in ipairs(actions) do say("action", action.title) end
  vim.lsp.util.apply_workspace_edit(actions[1].edit, client.offset_encoding)
  wait("diagnostics", function() return published == 2 end)
  say("left", #vim.diagnostic.get(buffer))
  show("fixed")

  say("hover", vim.inspect(request("textDocument/hover", at(2, 12)).contents.value))
  local places = request("textDocument/definition", at(2, 12))
  say("definition", places[1].range.start.line, places[1].range.start.character)

  -- A named op's definition is a file that can be opened.
  places = request("textDocument/definition", at(6, 8))
  vim.lsp.util.jump_to_location(places[1], client.offset_encoding)
  say("jumped", vim.fn.fnamemodify(vim.fn.expand("%"), ":t"),
      (vim.api.nvim_get_current_line():gsub("%s+$", "")))
  vim.api.nvim_set_current_buf(buffer)

  -- `k` on its line, and in it.
  local params = at(2, 17)
  params.newName = "q"
  local edit = request("textDocument/rename", params)
  vim.lsp.util.apply_workspace_edit(edit, client.offset_encoding)
  show("renamed")

  local items = request("textDocument/completion", at(6, 7))
  local names = {}
  for _, item in ipairs(items.items) do names[item.label] = item.detail end
  say("completion", names.matmul or "nothing")
  for _, symbol in ipairs(request("textDocument/documentSymbol",
      {textDocument = {uri = vim.uri_from_bufnr(buffer)}})) do
    say("symbol", symbol.name, #symbol.children)
  end

  vim.lsp.buf.formatting_sync({}, patience)
  show("formatted")

  -- What is typed reaches the server as it is, letters of two units too.
  vim.api.nvim_buf_set_lines(buffer, 0, 0, false, {"# 𝛼𝛼 é"})
  vim.api.nvim_buf_set_text(buffer, 0, 6, 0, 10, {"x /* "})
  vim.api.nvim_buf_set_lines(buffer, -1, -1, false, {"def bad(A: f32(N)) -> (B) { B(i) = A(j) }"})
  local before = published
  wait("diagnostics", function() return published > before end)
  vim.wait(patience, function() return #vim.diagnostic.get(buffer) > 0 end, 10)
  for _, diagnostic in ipairs(vim.diagnostic.get(buffer)) do
    say("typed", diagnostic.lnum, diagnostic.col, diagnostic.message)
  end

  client.stop()
  wait("exit", function() return status ~= nil end)
  say("exit", status)
end

local ok, message = pcall(main)
if not ok then say("failed", message) end
vim.cmd(ok and "qall!" or "cquit!")
