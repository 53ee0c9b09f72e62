# status: 1
# stderr: SyntaxError
eval("def broken(")
